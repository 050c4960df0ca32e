<?php

namespace Redislock\Laravel\Connections;

/** A list of servers as Predis reads it: by its options it is a cluster, a list of sentinels, or a master and its replicas. */
final class PredisListMap
{
    private function __construct(
        private readonly ServerList $list,
        private readonly ConnectionSettings $options,
        private readonly string $prefix,
    ) {
    }

    /** @throws UnsupportedConnection */
    public static function server(ServerList $list, string $prefix): Server
    {
        return (new self($list, $list->options(), $prefix))->read();
    }

    private function read(): Server
    {
        if ($this->options->pull('connections') !== null) {
            $this->options->refuse('connections', 'it leads to another server than the connection names');
        }
        $cluster = $this->options->pull('cluster');
        $replication = $this->options->pull('replication');
        if ($cluster !== null && $replication !== null) {
            $this->options->refuse('replication', 'beside options.cluster Predis does not read it; leave out the one that is not meant');
        }

        return match (true) {
            in_array($cluster, ['redis', 'redis-cluster'], true) => $this->cluster(),
            $cluster !== null => $this->options->refuse(
                'cluster', "a lock needs 'redis'; otherwise Predis itself spreads the keys over the servers, and would look for a lock"
                    .' elsewhere once a server is added',
            ),
            in_array($replication, ['sentinel', 'redis-sentinel'], true) => $this->sentinel(),
            $replication === 'predis' => $this->master(),
            $replication !== null => $this->options->refuse('replication', "'sentinel', or 'predis' with a named master, are supported"),
            default => $this->options->refuse('cluster', "Predis needs it for a list of servers: 'redis', or options.replication"),
        };
    }

    private function cluster(): Server
    {
        return (new Nodes($this->nodes($this->list->parameters()), 'ssl'))->cluster($this->prefix, false);
    }

    private function sentinel(): Server
    {
        $service = $this->options->pull('service');
        if (! is_string($service) || $service === '') {
            $this->options->refuse('service', "Predis needs the name under which the sentinels watch the master, such as 'mymaster'");
        }
        $parameters = $this->list->parameters();
        $master = $this->node([], $this->list->place, $parameters);
        // A sentinel has no databases, and its password is its own.
        $shared = array_diff_key($parameters, ['password' => 1, 'database' => 1]);
        $sentinels = new Nodes($this->nodes($shared, ['database' => 1]), 'ssl');

        return $sentinels->sentinel($this->list->place, $service, $master, $this->prefix);
    }

    /** Without sentinels, what is written goes to the server that is named the master. */
    private function master(): Server
    {
        if ($this->options->pull('autodiscovery')) {
            $this->options->refuse('autodiscovery', 'Predis may take another server for the master than the one that is named');
        }
        $masters = array_filter($this->list->servers(), fn (array $server) => ($server['role'] ?? null) === 'master');
        if (count($masters) !== 1) {
            $this->options->refuse('replication', "without sentinels, one server must have 'role' => 'master'");
        }
        $place = array_key_first($masters);

        return $this->node($masters[$place], $place, $this->list->parameters())->server($this->prefix, false);
    }

    /**
     * @param  array<string, mixed>  $parameters  what the servers have in common
     * @param  array<string, mixed>  $unread  what of their own is not read
     * @return array<string, Node>
     */
    private function nodes(array $parameters, array $unread = []): array
    {
        $nodes = [];
        foreach ($this->list->servers() as $place => $server) {
            $nodes[$place] = $this->node(array_diff_key($server, $unread), $place, $parameters);
        }

        return $nodes;
    }

    /**
     * @param  array<string, mixed>  $server
     * @param  array<string, mixed>  $parameters
     */
    private function node(array $server, string $place, array $parameters): Node
    {
        $settings = new ConnectionSettings($place);
        $settings->add($parameters, 'options.parameters');
        $settings->add(array_diff_key($server, ['prefix' => 1]), $place);

        return (new PredisMap($settings))->node();
    }
}
