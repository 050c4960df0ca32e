<?php

namespace Redislock\Laravel\Tests;

use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Tests\Support\TestCase;
use Worker;

/** Workers of a machine pass the locks of the store on to each other. */
#[Group('extension')]
class LocalTurnsTest extends TestCase
{
    protected function config(): array
    {
        return ['redislock.local' => true, 'redislock.takeover' => true];
    }

    public function test_locks_are_passed_on(): void
    {
        self::assertGreaterThan(0, $this->passedOn(''));
    }

    public function test_a_lock_whose_owner_was_asked_for_is_not(): void
    {
        self::assertSame(0, $this->passedOn('$lock->owner();'));
    }

    public function test_the_lock_of_a_killed_worker_goes_to_the_next(): void
    {
        $code = '
            $lock = Cache::lock("SKU0002", 600); // whoever lets go of the object leaves the lock behind
            $got = $lock->block(60);
            $say($got ? (string) RedisLock::stats()["taken_over"] : "no");
            sleep(600);
        ';
        $killed = $this->process($code);
        self::assertSame('0', $killed->readLine());
        $killed->kill();
        $next = $this->process($code);
        self::assertSame('1', $next->readLine());
        $next->kill();
    }

    /** How many locks two processes have passed on, which take turns at one; each runs $section in its turns. */
    private function passedOn(string $section): int
    {
        $code = '
            for ($turn = 0; $turn < 20; $turn++) {
                $lock = Cache::lock("SKU0001", 10);
                $lock->block(20);
                '.$section.'
                usleep(20_000); // meanwhile the other one begins to wait
                $lock->release();
            }
            $say(RedisLock::stats()["passed_on"]);
        ';
        $workers = [$this->process($code), $this->process($code)];

        return array_sum(array_map(fn (Worker $worker) => (int) $worker->readLine(), $workers));
    }
}
