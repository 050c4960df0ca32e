<?php

namespace Redislock\Laravel\Connections;

use Illuminate\Support\ConfigurationUrlParser;
use InvalidArgumentException;
use SensitiveParameter;

/**
 * The settings of one connection as Laravel's Redis manager and connectors merge them: its own, those of its URL, and
 * the options of all connections. Each is taken out once, so that what nobody asked for is known in the end.
 */
final class ConnectionSettings
{
    /** @var array<string, mixed> */
    private array $values = [];

    /** @var array<string, string> where each was written, for messages */
    private array $places = [];

    /** @var list<string> */
    private array $unknown = [];

    /**
     * @param  array<string, mixed>  $redis  all of config('database.redis')
     *
     * @throws UnsupportedConnection
     */
    public function __construct(#[SensitiveParameter] array $redis, string $client, private readonly string $name)
    {
        $own = $this->own($redis);
        $options = array_filter($redis['options'] ?? [], fn ($value) => $value !== null);
        $ownOptions = $own['options'] ?? [];
        unset($own['options']);

        if ($client === 'phpredis') {
            unset($options['parameters']);
            $this->add($own, $name);
            $this->add($options, 'options');
            $this->add($ownOptions, "$name.options");
            $this->add(array_intersect_key($own, ['prefix' => 1]), $name);
        } else {
            $parameters = $ownOptions['parameters'] ?? $options['parameters'][$name] ?? $options['parameters'] ?? [];
            $this->add(array_diff_key($parameters, $redis), 'options.parameters'); // but not those of other connections
            // Of Predis' own options these three lead to other servers than the connection names.
            $leading = ['prefix' => 1, 'replication' => 1, 'connections' => 1, 'aggregate' => 1];
            $this->add(array_intersect_key($options, $leading), 'options');
            $this->add(array_intersect_key($ownOptions, $leading), "$name.options");
            $this->add($own, $name);
        }
    }

    /** Takes it out; null: it is not set. */
    public function pull(string $key): mixed
    {
        $value = $this->values[$key] ?? null;
        unset($this->values[$key]);

        return $value;
    }

    /** @return list<string> */
    public function left(): array
    {
        return array_keys($this->values);
    }

    /** @throws UnsupportedConnection always; $key may go deeper: 'context.stream.ciphers' */
    public function refuse(string $key, string $why): never
    {
        throw new UnsupportedConnection($this->written($key), $why);
    }

    /** The server is made without it, and says so. */
    public function ignore(string $key): void
    {
        $this->unknown[] = $this->written($key);
    }

    /** @return list<string> what was ignored, as it is written below `database.redis` */
    public function unknown(): array
    {
        return $this->unknown;
    }

    private function written(string $key): string
    {
        $top = explode('.', $key)[0];

        return ($this->places[$top] ?? $this->name).".$key";
    }

    /** @return array<string, mixed> */
    private function own(#[SensitiveParameter] array $redis): array
    {
        if (! isset($redis[$this->name])) {
            throw isset($redis['clusters'][$this->name])
                ? new UnsupportedConnection("clusters.{$this->name}", 'Redis Cluster is not supported')
                : new UnsupportedConnection($this->name, 'there is no such connection');
        }

        try {
            $own = (new ConfigurationUrlParser)->parseConfiguration($redis[$this->name]);
        } catch (InvalidArgumentException $e) {
            throw new UnsupportedConnection("{$this->name}.url", $e->getMessage());
        }

        if (array_filter(array_keys($own), is_int(...)) !== []) {
            throw new UnsupportedConnection($this->name, 'a list of servers (replication, Sentinel, cluster) is not supported');
        }

        // Laravel has made tcp of redis://, and tls of rediss://. Not every version does so in capitals or of valkey://.
        $scheme = match ($driver = strtolower($own['driver'] ?? '')) {
            '' => null,
            'tcp', 'redis', 'valkey' => 'tcp',
            'tls', 'rediss', 'valkeys' => 'tls',
            default => throw new UnsupportedConnection("{$this->name}.url", "it may begin with redis, rediss, valkey, valkeys, tcp or tls, not with $driver://"),
        };
        unset($own['driver']);

        return $scheme === null ? $own : ['scheme' => $scheme] + $own;
    }

    /** @param array<string, mixed> $values those that are null are as good as not there */
    private function add(#[SensitiveParameter] array $values, string $place): void
    {
        foreach ($values as $key => $value) {
            if ($value !== null) {
                $this->values[$key] = $value;
                $this->places[$key] = $place;
            }
        }
    }
}
