<?php

namespace Redislock\Laravel\Connections;

/** As Laravel's PredisConnector and Predis itself read a connection. */
final class PredisMap extends ConnectionMap
{
    protected const WITHOUT_EFFECT = [...parent::WITHOUT_EFFECT, 'compression', 'context', 'read_timeout', 'role', 'serializer', 'slots'];

    protected function packs(): bool
    {
        return false;
    }

    protected function prefix(): string
    {
        $prefix = $this->settings->pull('prefix') ?? '';
        if (! is_scalar($prefix)) {
            $this->settings->refuse('prefix', 'it must be text');
        }

        return (string) $prefix;
    }

    protected function login(): array
    {
        $username = $this->settings->pull('username');
        $password = $this->settings->pull('password');
        if (is_array($password)) {
            $this->settings->refuse('password', 'with Predis it must be text');
        }

        return $this->credentials($username, $password);
    }

    protected function schemeAndHost(): array
    {
        $host = $this->text('host') ?: '127.0.0.1';
        $path = $this->text('path');
        $scheme = $this->scheme($this->text('scheme') ?: 'tcp');
        if (str_contains($host, '://')) {
            [$written, $host] = explode('://', $host, 2);
            $scheme = $this->scheme($written);
        }
        if ($scheme === 'unix') {
            return ['unix', $path !== '' ? $path : $this->settings->refuse('path', 'Predis needs the path of the socket')];
        }
        if (str_starts_with($host, '/')) {
            $this->settings->refuse('host', "with Predis a socket is the scheme 'unix' and the key 'path'");
        }

        return [$scheme, $host];
    }

    protected function timeouts(): array
    {
        return array_filter([
            'connect_timeout' => $this->seconds('timeout'),
            'read_timeout' => $this->seconds('read_write_timeout'),
        ]);
    }

    protected function sslContext(): array
    {
        return ['ssl', (array) $this->settings->pull('ssl')];
    }

    private function text(string $key): string
    {
        $value = $this->settings->pull($key) ?? '';
        if (! is_string($value)) {
            $this->settings->refuse($key, 'it must be text');
        }

        return $value;
    }
}
