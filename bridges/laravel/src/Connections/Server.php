<?php

namespace Redislock\Laravel\Connections;

use RedisLock;
use SensitiveParameter;

/** A Redis database as the extension addresses it, and how Laravel's client writes keys and values there. */
final class Server
{
    /**
     * @param  string|array<string>  $address  for RedisLock's constructor; several make a Redlock
     * @param  array<string, mixed>  $options  for the same; they hold the login
     * @param  string  $prefix  what the client puts before every key
     * @param  bool  $packs  whether the client serializes or compresses what it stores, a lock's owner too
     * @param  list<string>  $unknown  the settings of config/database.php that it was made without
     * @param  bool  $named  whether the address is written as such, not made from a connection
     */
    public function __construct(
        #[SensitiveParameter] private readonly string|array $address,
        #[SensitiveParameter] private readonly array $options = [],
        public readonly string $prefix = '',
        public readonly bool $packs = false,
        public readonly array $unknown = [],
        private readonly bool $named = false,
    ) {
    }

    /** The same for a client whose settings were changed after it was made; null: still in the same database. */
    public function changed(?int $database, string $prefix, bool $packs): self
    {
        // An address that was made from a connection ends with its database.
        $address = $database === null || $this->named ? $this->address : preg_replace('~\d+$~', (string) $database, $this->address);

        return new self($address, $this->options, $prefix, $packs, $this->unknown, $this->named);
    }

    /**
     * What RedisLock's constructor takes.
     *
     * @param  array<string, mixed>  $options  these win
     * @return array{string|array<string>, array<string, mixed>}
     */
    public function arguments(array $options): array
    {
        return [$this->address, $options + $this->options];
    }

    /** @param array<string, mixed> $options */
    public function open(array $options): RedisLock
    {
        return new RedisLock(...$this->arguments($options));
    }

    /** Where it is, without a login: of two servers it is the same if they are. */
    public function __toString(): string
    {
        return preg_replace('~://[^/]*@~', '://', implode(', ', (array) $this->address));
    }

    /** The login stays out of dumps. */
    public function __debugInfo(): array
    {
        return ['server' => (string) $this, 'prefix' => $this->prefix, 'packs' => $this->packs];
    }
}
