<?php

namespace Redislock\Laravel\Connections;

use SensitiveParameter;

/** One server that a connection names, as its client would connect to it. */
final class Node
{
    /**
     * @param  string  $host  and its port
     * @param  array<string, string>  $login  username and password
     * @param  array<string, float>  $timeouts  options of RedisLock
     * @param  array<string, mixed>  $tls  RedisLock's option
     * @param  list<string>  $unknown  settings that were ignored
     */
    public function __construct(
        public readonly bool $encrypted,
        public readonly string $host,
        public readonly int $database,
        #[SensitiveParameter] public readonly array $login,
        public readonly array $timeouts,
        public readonly array $tls,
        public readonly array $unknown,
    ) {
    }

    /** Alone. */
    public function server(string $prefix, bool $packs): Server
    {
        $address = ($this->encrypted ? 'rediss' : 'redis')."://$this->host/$this->database";

        return new Server($address, $this->options(), $prefix, $packs, $this->unknown);
    }

    /** @return array<string, mixed> for RedisLock's constructor */
    public function options(): array
    {
        return $this->timeouts + $this->login + ($this->tls === [] ? [] : ['tls' => $this->tls]);
    }

    /** The login stays out of dumps. */
    public function __debugInfo(): array
    {
        return ['host' => $this->host, 'database' => $this->database];
    }
}
