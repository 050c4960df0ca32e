<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\TestCase;
use RawClient;
use RedisLock;
use Redislock\Symfony\RedisLockStore;
use RedisServer;

/** A private server for each test class, and a look behind the store's back. */
abstract class ServerTestCase extends TestCase
{
    protected static RedisServer $server;
    protected RawClient $redis;

    public static function setUpBeforeClass(): void
    {
        self::$server = RedisServer::start();
    }

    public static function tearDownAfterClass(): void
    {
        self::$server->stop();
    }

    protected function setUp(): void
    {
        $this->redis = self::$server->client();
        $this->redis->cmd('FLUSHALL');
    }

    /** @param array<string, mixed> $options of the RedisLock */
    protected function store(float $initialTtl = 300.0, float $timeout = INF, array $options = []): RedisLockStore
    {
        return new RedisLockStore(new RedisLock(self::$server->dsn(), $options), $initialTtl, $timeout);
    }

    /** Milliseconds that the lock has left. */
    protected function lease(string $name): int
    {
        return $this->redis->cmd('PTTL', "lock:$name");
    }
}
