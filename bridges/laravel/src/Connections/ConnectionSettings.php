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

    /** @param  string  $place  where the connection is written, below `database.redis` */
    public function __construct(private readonly string $place)
    {
    }

    /**
     * The connection of that name, which is one server.
     *
     * @param  array<string, mixed>  $redis  all of config('database.redis')
     *
     * @throws UnsupportedConnection
     */
    public static function of(#[SensitiveParameter] array $redis, string $client, string $name): self
    {
        $own = self::parsed($redis[$name] ?? throw new UnsupportedConnection($name, 'there is no such connection'), $name);
        $options = array_filter($redis['options'] ?? [], fn ($value) => $value !== null);
        $ownOptions = $own['options'] ?? [];
        unset($own['options']);
        if (! isset($own['prefix'])) {
            unset($own['prefix']); // Laravel then looks for another one
        }

        $settings = new self($name);
        if ($client === 'phpredis') {
            unset($options['parameters']);
            $settings->add($own, $name);
            $settings->add($options, 'options');
            $settings->add($ownOptions, "$name.options");
            $settings->add(array_intersect_key($own, ['prefix' => 1]), $name);
        } else {
            $parameters = $ownOptions['parameters'] ?? $options['parameters'][$name] ?? $options['parameters'] ?? [];
            $settings->add(array_diff_key($parameters, $redis), 'options.parameters'); // but not those of other connections
            // Of Predis' own options these lead to other servers than the connection names.
            $leading = ['prefix' => 1, 'replication' => 1, 'connections' => 1, 'aggregate' => 1];
            $settings->add(array_intersect_key($options, $leading), 'options');
            $settings->add(array_intersect_key($ownOptions, $leading), "$name.options");
            $settings->add($own, $name);
        }

        return $settings;
    }

    /**
     * What Laravel makes of a server as it is written.
     *
     * @return array<string, mixed>
     *
     * @throws UnsupportedConnection
     */
    public static function parsed(#[SensitiveParameter] mixed $written, string $place): array
    {
        if (! is_array($written) && ! is_string($written)) {
            throw new UnsupportedConnection($place, 'it is no server');
        }
        try {
            $own = (new ConfigurationUrlParser)->parseConfiguration($written);
        } catch (InvalidArgumentException $e) {
            throw new UnsupportedConnection("$place.url", $e->getMessage());
        }

        // Laravel has made tcp of redis://, and tls of rediss://. Not every version does so in capitals or of valkey://.
        $scheme = match ($driver = strtolower($own['driver'] ?? '')) {
            '' => null,
            'tcp', 'redis', 'valkey' => 'tcp',
            'tls', 'rediss', 'valkeys' => 'tls',
            default => throw new UnsupportedConnection("$place.url", "it may begin with redis, rediss, valkey, valkeys, tcp or tls, not with $driver://"),
        };
        unset($own['driver']);

        return $scheme === null ? $own : ['scheme' => $scheme] + $own;
    }

    /**
     * Adds what overrides all that is there. One that is null is none, and takes away what was there.
     *
     * @param  array<string, mixed>  $values
     */
    public function add(#[SensitiveParameter] array $values, string $place): void
    {
        foreach ($values as $key => $value) {
            $this->values[$key] = $value;
            $this->places[$key] = $place;
        }
        $this->values = array_filter($this->values, fn ($value) => $value !== null);
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

        return ($this->places[$top] ?? $this->place).".$key";
    }
}
