<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use Worker;

/** Workers of a machine pass the locks of a DSN on to each other. */
final class LocalTurnsTest extends ServerTestCase
{
    public function testLocksArePassedOn(): void
    {
        self::assertGreaterThan(0, $this->passedOn(''));
    }

    public function testALockWhoseKeyWasSerialisedIsNot(): void
    {
        self::assertSame(0, $this->passedOn('serialize($key);'));
    }

    public function testTheLockOfAKilledWorkerGoesToTheNext(): void
    {
        $start = fn () => Worker::start(
            'require $argv[1];
            $store = Redislock\Symfony\StoreFactory::createStore($argv[2]);
            $store->waitAndSave($key = new Symfony\Component\Lock\Key("SKU0002"));
            echo RedisLock::stats()["taken_over"], "\n";
            sleep(600);',
            [dirname(__DIR__) . '/vendor/autoload.php', 'redislock+' . self::$server->dsn() . '?local=1&takeover=1&timeout=60&initial_ttl=600'],
        );
        $killed = $start();
        self::assertSame('0', $killed->readLine());
        $killed->kill();
        $next = $start();
        self::assertSame('1', $next->readLine());
        $next->kill();
    }

    /** How many locks two processes have passed on, which take turns at one; each runs $section in its turns. */
    private function passedOn(string $section): int
    {
        $workers = [];
        for ($i = 0; $i < 2; $i++) {
            $workers[] = Worker::start(
                'require $argv[1];
                $store = Redislock\Symfony\StoreFactory::createStore($argv[2]);
                for ($turn = 0; $turn < 20; $turn++) {
                    $store->waitAndSave($key = new Symfony\Component\Lock\Key("SKU0001"));
                    ' . $section . '
                    usleep(20_000); // meanwhile the other one begins to wait
                    $store->delete($key);
                }
                echo RedisLock::stats()["passed_on"], "\n";',
                [dirname(__DIR__) . '/vendor/autoload.php', 'redislock+' . self::$server->dsn() . '?local=1&timeout=20&initial_ttl=10'],
            );
        }

        return array_sum(array_map(fn (Worker $worker) => (int) $worker->readLine(), $workers));
    }
}
