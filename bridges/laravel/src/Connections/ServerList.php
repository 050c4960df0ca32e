<?php

namespace Redislock\Laravel\Connections;

use InvalidArgumentException;
use Predis\Connection\Parameters;
use SensitiveParameter;

/**
 * A connection that names several servers: one of `redis.clusters`, or with Predis also a list in place of a connection.
 * Its settings are merged as Laravel's Redis manager and connectors do.
 */
final class ServerList
{
    /**
     * @param  string  $place  where it is written, below `database.redis`
     * @param  array<array<string, mixed>>  $servers
     * @param  array<string, array<string, mixed>>  $options  by where they are written; the last ones win
     */
    private function __construct(
        public readonly string $place,
        #[SensitiveParameter] private readonly array $servers,
        #[SensitiveParameter] private readonly array $options,
    ) {
    }

    /**
     * @param  array<string, mixed>  $redis  all of config('database.redis')
     * @return self|null null: it is no list
     *
     * @throws UnsupportedConnection
     */
    public static function of(#[SensitiveParameter] array $redis, string $client, string $name): ?self
    {
        $options = ['options' => $redis['options'] ?? []];
        if (isset($redis[$name])) {
            if (! is_array($redis[$name]) || array_filter(array_keys($redis[$name]), is_int(...)) === []) {
                return null;
            }
            if ($client === 'phpredis') {
                throw new UnsupportedConnection($name, 'with phpredis, Laravel takes a list of servers in clusters alone');
            }
            $parameters = $options['options']['parameters'] ?? [];
            $options['options']['parameters'] = $parameters[$name] ?? array_diff_key($parameters, $redis); // as for one server

            return self::read($name, $redis[$name], $options, self::written(...));
        }
        if (isset($redis['clusters'][$name])) {
            $options['clusters.options'] = $redis['clusters']['options'] ?? [];

            return self::read("clusters.$name", $redis['clusters'][$name], $options, ConnectionSettings::parsed(...));
        }

        return null;
    }

    /**
     * What all servers have in common.
     *
     * @param  string|null  $place  of the server that they are for; null: of the list
     * @param  string  ...$but  these
     */
    public function options(?string $place = null, string ...$but): ConnectionSettings
    {
        $settings = new ConnectionSettings($place ?? $this->place);
        foreach ($this->options as $written => $options) {
            $settings->add(array_diff_key($options, array_flip($but)), $written);
        }

        return $settings;
    }

    /** @return array<string, mixed> what Predis takes for all connections */
    public function parameters(): array
    {
        return array_filter(array_merge(...array_values($this->options))['parameters'] ?? [], fn ($value) => $value !== null);
    }

    /** @return array<string, array<string, mixed>> by where each is written: what a server has that is set */
    public function servers(): array
    {
        $servers = [];
        foreach ($this->servers as $key => $server) {
            $servers["$this->place.$key"] = array_filter($server, fn ($value) => $value !== null);
        }

        return $servers;
    }

    /**
     * @param  array<string, array<string, mixed>>  $options
     * @param  callable(mixed, string): array<string, mixed>  $parse
     *
     * @throws UnsupportedConnection
     */
    private static function read(
        string $place,
        #[SensitiveParameter] mixed $list,
        #[SensitiveParameter] array $options,
        callable $parse,
    ): self {
        if (! is_array($list)) {
            throw new UnsupportedConnection($place, 'it is no list of servers');
        }
        $options["$place.options"] = $list['options'] ?? [];
        unset($list['options']);
        if (isset($list['prefix'])) {
            throw new UnsupportedConnection("$place.prefix", 'Laravel takes it for a server; write it in options');
        }
        $servers = [];
        foreach ($list as $key => $written) {
            $servers[$key] = $parse($written, "$place.$key");
        }
        if ($servers === []) {
            throw new UnsupportedConnection($place, 'it names no server');
        }

        return new self($place, $servers, $options);
    }

    /**
     * What Predis makes of a server that Laravel hands it as it is.
     *
     * @return array<string, mixed>
     */
    private static function written(#[SensitiveParameter] mixed $written, string $place): array
    {
        try {
            $server = is_string($written) ? Parameters::parse($written) : $written;
        } catch (InvalidArgumentException) {
            $server = null;
        }

        return is_array($server) ? $server : throw new UnsupportedConnection($place, 'it is no server');
    }

    /** The logins stay out of dumps. */
    public function __debugInfo(): array
    {
        return ['place' => $this->place, 'servers' => count($this->servers)];
    }
}
