<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Contracts\Console\Kernel as ConsoleKernel;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Support\Facades\Route;
use PHPUnit\Framework\Attributes\Group;
use RedisLock as Extension;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;
use RuntimeException;

/** What is left locked goes with its request or job, also in a worker that lives on. */
#[Group('extension')]
class ScopeTest extends TestCase
{
    /** @var list<bool|string> */
    public static array $had = [];

    protected function setUp(): void
    {
        parent::setUp();
        self::$had = [];
    }

    public function test_the_facade_and_the_container_give_the_same_object(): void
    {
        self::assertTrue(RedisLock::lock('SKU0001', 0, 10));

        self::assertTrue($this->app->make(Extension::class)->isLocking('SKU0001'));
        self::assertSame('RedisLock', Extension::class);
    }

    public function test_the_end_of_the_scope_releases(): void
    {
        RedisLock::lock('SKU0001', 0, 60);

        $this->app->forgetScopedInstances();

        self::assertTrue(RedisLock::lock('SKU0001', 0, 60));
    }

    public function test_a_job_that_throws_leaves_no_lock_to_the_next(): void
    {
        LeavingJob::dispatch();
        LeavingJob::dispatch();

        $this->app->make(ConsoleKernel::class)->call('queue:work', ['--stop-when-empty' => true, '--tries' => 1, '--sleep' => 0]);

        self::assertSame([true, true], self::$had);
    }

    public function test_a_request_of_octane_that_throws_leaves_no_lock_to_the_next(): void
    {
        Route::get('/buy', function (Extension $lock) {
            self::$had[] = $lock->lock('SKU0001', 0, 60);
            self::$had[] = RedisLock::isLocking('SKU0001');
            throw new RuntimeException('inside of the section');
        });
        $this->app->make(HttpKernel::class)->bootstrap();

        self::assertSame(500, $this->octaneRequest('/buy'));
        self::assertSame(500, $this->octaneRequest('/buy'));
        self::assertSame([true, true, true, true], self::$had);
    }
}

class LeavingJob implements ShouldQueue
{
    use Queueable;

    public function handle(): void
    {
        ScopeTest::$had[] = RedisLock::lock('SKU0001', 0, 60);
        throw new RuntimeException('inside of the section');
    }
}
