<?php

namespace Redislock\Laravel\Connections;

/** The servers of a list, which are reached in the same way: one option of RedisLock holds for all. */
final class Nodes
{
    /** As many as RedisLock takes. */
    private const MOST = 16;

    /**
     * @param  array<string, Node>  $nodes  by where each is written
     *
     * @throws UnsupportedConnection
     */
    public function __construct(private readonly array $nodes, string $tlsKey)
    {
        $first = $this->first();
        foreach ($nodes as $place => $node) {
            $differs = match (true) {
                $node->encrypted !== $first->encrypted => 'scheme',
                $node->login !== $first->login => 'password',
                $node->database !== $first->database => 'database',
                $node->tls !== $first->tls => $tlsKey,
                default => null,
            };
            if ($differs !== null) {
                throw new UnsupportedConnection("$place.$differs", 'it must be the same for all servers of the list');
            }
        }
    }

    public function first(): Node
    {
        return $this->nodes[array_key_first($this->nodes)];
    }

    /** @return list<string> each host once */
    public function hosts(): array
    {
        return array_values(array_unique(array_map(fn (Node $node) => $node->host, $this->nodes)));
    }

    /** @return list<string> */
    public function unknown(): array
    {
        $unknown = array_map(fn (Node $node) => $node->unknown, array_values($this->nodes));

        return array_values(array_unique(array_merge(...$unknown)));
    }

    public function cluster(string $prefix, bool $packs): Server
    {
        $node = $this->first();
        $hosts = implode(',', array_slice($this->hosts(), 0, self::MOST)); // they name all others
        $address = ($node->encrypted ? 'rediss' : 'redis')."-cluster://$hosts/$node->database";

        return new Server($address, $node->options(), $prefix, $packs, $this->unknown());
    }

    /**
     * The master that these sentinels name.
     *
     * @param  string  $place  of the list
     * @param  Node  $master  how it is reached, wherever it is
     *
     * @throws UnsupportedConnection
     */
    public function sentinel(string $place, string $service, Node $master, string $prefix): Server
    {
        $sentinel = $this->first();
        if (count($this->hosts()) > self::MOST) {
            throw new UnsupportedConnection($place, 'it names more than '.self::MOST.' sentinels');
        }
        if ($master->encrypted && $sentinel->encrypted && $master->tls !== $sentinel->tls) {
            $place = array_key_first($this->nodes);
            throw new UnsupportedConnection("$place.ssl", 'it must be the same as that of the master in options.parameters');
        }
        $hosts = implode(',', $this->hosts());
        $address = ($master->encrypted ? 'rediss' : 'redis')."-sentinel://$hosts/".rawurlencode($service)."/$master->database";
        $options = $master->options() + ($sentinel->tls === [] ? [] : ['tls' => $sentinel->tls]);
        foreach ($sentinel->login as $key => $value) {
            $options["sentinel_$key"] = $value;
        }
        if ($sentinel->encrypted !== $master->encrypted) {
            $options['sentinel_tls'] = $sentinel->encrypted;
        }

        $unknown = array_values(array_unique([...$this->unknown(), ...$master->unknown]));

        return new Server($address, $options, $prefix, false, $unknown);
    }
}
