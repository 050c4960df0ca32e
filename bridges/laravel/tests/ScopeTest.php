<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Container\Container;
use Illuminate\Contracts\Console\Kernel as ConsoleKernel;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Facade;
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

    /** Octane gives each request a clone of the application, and forgets that afterwards. */
    private function octaneRequest(string $path): int
    {
        $sandbox = clone $this->app;
        $this->makeCurrent($sandbox);
        $sandbox->make('router')->setContainer($sandbox);
        $kernel = $sandbox->make(HttpKernel::class);
        $kernel->setApplication($sandbox);
        $request = Request::create($path);
        $response = $kernel->handle($request);
        $kernel->terminate($request, $response);
        $status = $response->getStatusCode();
        $sandbox->flush();
        $this->makeCurrent($this->app);
        unset($response, $request, $sandbox);

        return $status;
    }

    private function makeCurrent(Application $app): void
    {
        $app->instance('app', $app);
        $app->instance(Container::class, $app);
        Container::setInstance($app);
        Facade::clearResolvedInstances();
        Facade::setFacadeApplication($app);
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
