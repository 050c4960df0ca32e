<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use Predis\Client;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\RedisStore;

/** Symfony's own store and ours, side by side on one key, as while an application is deployed. */
final class MigrationTest extends ServerTestCase
{
    private function theirs(): LockFactory
    {
        return new LockFactory(new RedisStore(new Client(['scheme' => 'unix', 'path' => self::$server->socket()])));
    }

    private function ours(float $timeout = INF): LockFactory
    {
        // Symfony's own store knows no prefix.
        return new LockFactory($this->store(timeout: $timeout, options: ['prefix' => '', 'retry_interval' => 0.01]));
    }

    public function testTheirsKeepsOursOut(): void
    {
        $theirs = $this->theirs()->createLock('SKU0001');
        $ours = $this->ours()->createLock('SKU0001');

        self::assertTrue($theirs->acquire());
        self::assertFalse($ours->acquire());
        self::assertFalse($ours->isAcquired());
        $theirs->release();
        self::assertTrue($ours->acquire());
        $ours->release();
    }

    public function testOursKeepsTheirsOut(): void
    {
        $ours = $this->ours()->createLock('SKU0001');
        $theirs = $this->theirs()->createLock('SKU0001');

        self::assertTrue($ours->acquire());
        self::assertFalse($theirs->acquire());
        $ours->release();
        self::assertTrue($theirs->acquire());
        $theirs->release();
    }

    public function testOursWaitsForTheirs(): void
    {
        $theirs = $this->theirs()->createLock('SKU0001', 1.0, autoRelease: false);
        self::assertTrue($theirs->acquire());
        $ours = $this->ours(timeout: 30.0)->createLock('SKU0001');
        self::assertTrue($ours->acquire(true));
        $ours->release();
    }

    public function testOursThatWasLostToTheirsIsLost(): void
    {
        $ours = $this->ours()->createLock('SKU0001');
        $ours->acquire();
        $this->redis->cmd('DEL', 'SKU0001');
        $theirs = $this->theirs()->createLock('SKU0001');
        self::assertTrue($theirs->acquire());

        self::assertFalse($ours->isAcquired());
        $ours->release();
        self::assertTrue($theirs->isAcquired());
        $theirs->release();
    }
}
