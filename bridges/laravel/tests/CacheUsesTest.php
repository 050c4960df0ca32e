<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Cache\Repository;
use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Support\Carbon;
use Illuminate\Support\Defer\DeferredCallbackCollection;
use Illuminate\Support\Facades\Cache;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Tests\Support\TestCase;

/** What Laravel's cache itself does with the store's locks. */
#[Group('uses')]
class CacheUsesTest extends TestCase
{
    public function test_flexible(): void
    {
        $built = 0;
        $read = function () use (&$built) {
            return (int) Cache::flexible('report', [10, 1000], function () use (&$built) {
                return ++$built;
            });
        };
        self::assertSame(1, $read());
        Carbon::setTestNow(Carbon::now()->addSeconds(20)); // stale

        $elsewhere = Cache::lock('illuminate:cache:flexible:lock:report', 10);
        $elsewhere->get();
        self::assertSame(1, $read());
        $this->afterTheResponse();
        self::assertSame(1, $built, 'somebody else builds it');

        $elsewhere->release();
        self::assertSame(1, $read());
        $this->afterTheResponse();
        self::assertSame(2, $built);
        self::assertSame(2, $read());
    }

    public function test_funnel(): void
    {
        if (! method_exists(Repository::class, 'funnel')) {
            self::assertSame('11', explode('.', $this->app->version())[0], 'only Laravel 11 has no Cache::funnel()');
            self::assertTrue(Cache::lock('funnel1', 10, 'a')->get());
            self::assertFalse(Cache::lock('funnel1', 10, 'b')->get());

            return;
        }
        $enter = fn (callable $inside) => Cache::funnel('api')->limit(2)->releaseAfter(10)->block(0)
            ->then($inside, fn () => 'refused');

        $answers = $enter(fn () => ['first', $enter(fn () => ['second', $enter(fn () => 'third')])]);

        self::assertSame(['first', ['second', 'refused']], $answers);
        self::assertSame('again', $enter(fn () => 'again'), 'the slots were released');
    }

    public function test_without_overlapping(): void
    {
        if (! method_exists(Repository::class, 'withoutOverlapping')) {
            self::assertSame('11', explode('.', $this->app->version())[0], 'only Laravel 11 has no Cache::withoutOverlapping()');
            Cache::lock('report', 10)->get();
            $again = fn () => Cache::lock('report', 10)->block(0);
        } else {
            $again = fn () => Cache::withoutOverlapping('report', fn () => Cache::withoutOverlapping('report', fn () => 'both', 10, 0), 10, 0);
        }

        $this->expectException(LockTimeoutException::class);
        $again();
    }

    private function afterTheResponse(): void
    {
        $this->app->make(DeferredCallbackCollection::class)->invoke();
    }
}
