<?php

namespace Redislock\Laravel\Connections;

use Illuminate\Redis\Connectors\PhpRedisConnector;

/** As Laravel's PhpRedisConnector and phpredis itself read a connection. */
class PhpRedisMap extends ConnectionMap
{
    protected const WITHOUT_EFFECT = [...parent::WITHOUT_EFFECT, 'parameters', 'path', 'read_write_timeout', 'ssl'];

    /** @var array{auth?: mixed, stream?: array<string, mixed>}|null */
    private ?array $context = null;

    protected function packs(): bool
    {
        $serializer = (int) $this->settings->pull('serializer');

        return (int) $this->settings->pull('compression') !== 0 || $serializer !== 0;
    }

    protected function prefix(): string
    {
        $prefix = $this->settings->pull('prefix');

        return empty($prefix) ? '' : (string) $prefix; // as the connector asks: '0' is none
    }

    protected function login(): array
    {
        $username = $this->username();
        $password = $this->settings->pull('password') ?: ($this->context()['auth'] ?? null);
        if (is_array($password)) {
            $parts = array_values($password);
            if (count($parts) > 2) {
                $this->settings->refuse('password', 'it is neither a password nor a username and a password');
            }

            return $this->credentials(count($parts) === 2 ? $parts[0] : null, end($parts));
        }

        return $this->credentials($username, $password);
    }

    protected function username(): mixed
    {
        return $this->settings->pull('username');
    }

    protected function schemeAndHost(): array
    {
        $host = $this->settings->pull('host');
        if (! is_string($host) || $host === '') {
            $this->settings->refuse('host', 'it is empty');
        }
        $scheme = $this->settings->pull('scheme');
        if ($scheme !== null && stripos($host, "$scheme://") !== 0) {
            $host = "$scheme://$host";
        }
        if (str_contains($host, '://')) {
            [$written, $host] = explode('://', $host, 2);
            $scheme = $this->scheme($written);
        } else {
            // phpredis encrypts where it has a context for that, even an empty one, and nobody says otherwise.
            $scheme = isset($this->context()['stream']) ? 'rediss' : 'redis';
        }
        if (str_starts_with($host, '/')) {
            return $scheme === 'rediss' ? $this->settings->refuse('host', 'a socket is not encrypted') : ['unix', $host];
        }

        return [$scheme, $host];
    }

    protected function timeouts(): array
    {
        return array_filter([
            'connect_timeout' => $this->seconds('timeout'),
            'read_timeout' => $this->seconds('read_timeout'),
        ]);
    }

    protected function sslContext(): array
    {
        return ['context.stream', $this->context()['stream'] ?? []];
    }

    /** @return array{auth?: mixed, stream?: array<string, mixed>} */
    protected function context(): array
    {
        if ($this->context === null) {
            $context = $this->settings->pull('context');
            if ($context !== null && ! is_array($context)) {
                $this->settings->refuse('context', 'it is no array');
            }
            $context = $context === null ? [] : $this->normalized($context);
            foreach (array_keys(array_diff_key($context, ['auth' => 1, 'stream' => 1])) as $key) {
                $this->settings->ignore("context.$key");
            }
            $this->context = array_filter($context, fn ($value) => $value !== null);
        }

        return $this->context;
    }

    /**
     * As phpredis gets it: the options of TLS are its stream's.
     *
     * @param  array<string, mixed>  $context
     * @return array<string, mixed>
     */
    protected function normalized(array $context): array
    {
        if ($context !== [] && method_exists(PhpRedisConnector::class, 'normalizeContext')) { // Laravel 13
            return isset($context['stream']) ? $context : ['stream' => $context['ssl'] ?? $context];
        }

        return $context;
    }
}
