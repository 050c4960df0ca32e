<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Console\Scheduling\Event;
use Illuminate\Console\Scheduling\Schedule;
use Illuminate\Contracts\Console\Kernel;
use Illuminate\Contracts\Queue\ShouldBeUnique;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Support\Carbon;
use Illuminate\Support\Facades\Queue;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Tests\Support\TestCase;

/** Schedulers on several servers: each has an application of its own, at the same minute. */
#[Group('uses')]
class SchedulerTest extends TestCase
{
    private int $runs = 0;

    protected function setUp(): void
    {
        parent::setUp();
        Carbon::setTestNow('2030-01-01 12:00:00');
    }

    public function test_on_one_server(): void
    {
        $this->cron(fn () => $this->schedule()->onOneServer());
        $this->cron(fn () => $this->schedule()->onOneServer());
        self::assertSame(1, $this->runs, 'the second server left it to the first');

        Carbon::setTestNow('2030-01-01 12:01:00');
        $this->cron(fn () => $this->schedule()->onOneServer());
        self::assertSame(2, $this->runs, 'the next minute has a lock of its own');
    }

    public function test_without_overlapping(): void
    {
        $running = $this->schedule()->withoutOverlapping();
        self::assertTrue($running->mutex->create($running), 'it begins, and goes on for longer than a minute');

        $this->cron(fn () => $this->schedule()->withoutOverlapping());
        self::assertSame(0, $this->runs, 'the next minute it still runs elsewhere');

        $running->mutex->forget($running);
        $this->cron(fn () => $this->schedule()->withoutOverlapping());
        self::assertSame(1, $this->runs);
        $this->cron(fn () => $this->schedule()->withoutOverlapping());
        self::assertSame(2, $this->runs, 'its own end released it');
    }

    public function test_a_unique_job(): void
    {
        Queue::fake();
        foreach (['this', 'that', 'another'] as $event) { // each wants the same job
            $this->app->make(Schedule::class)->job(UniqueReport::class)->name($event)->everyMinute();
        }
        $this->app->make(Kernel::class)->call('schedule:run');

        Queue::assertPushed(UniqueReport::class, 1);
    }

    private function schedule(): Event
    {
        return $this->app->make(Schedule::class)->call(function () {
            $this->runs++;
        })->name('the report')->everyMinute();
    }

    /** What cron does every minute on a server. */
    private function cron(callable $schedule): void
    {
        $this->app = $this->boot();
        $schedule();
        $this->app->make(Kernel::class)->call('schedule:run');
    }
}

class UniqueReport implements ShouldBeUnique, ShouldQueue
{
    use Queueable;
}
