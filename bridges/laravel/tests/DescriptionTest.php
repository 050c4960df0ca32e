<?php

namespace Redislock\Laravel\Tests;

use Closure;
use Illuminate\Console\Events\CommandFinished;
use Illuminate\Console\Events\CommandStarting;
use Illuminate\Contracts\Console\Kernel as ConsoleKernel;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Event;
use Illuminate\Support\Facades\Route;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Description;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;
use RuntimeException;
use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Output\NullOutput;

/** What locks tell of what their process runs. */
class DescriptionTest extends TestCase
{
    /** @var list<?string> each time that it changes */
    private array $told = [];

    /** What the job does. */
    public static ?Closure $inside;

    protected function setUp(): void
    {
        parent::setUp();
        self::$inside = null;
        (new Description(function (?string $what) {
            $this->told[] = $what;
        }))->listen($this->app->make('events'));
        $this->app->make(HttpKernel::class)->bootstrap();
    }

    #[DataProvider('ends')]
    public function test_a_job_is_told_until_it_ends(string $end): void
    {
        DescribedJob::dispatch($end);
        DescribedJob::dispatch($end);

        $this->app->make(ConsoleKernel::class)->call('queue:work', ['--stop-when-empty' => true, '--tries' => 1, '--sleep' => 0]);

        $worker = 'artisan queue:work';
        self::assertSame([$worker, 'job DescribedJob', $worker, 'job DescribedJob', $worker, null], $this->told);
    }

    public static function ends(): array
    {
        return ['success' => ['succeeds'], 'failure' => ['fails'], 'exception' => ['throws']];
    }

    public function test_what_runs_inside_counts_until_it_ends(): void
    {
        Route::get('/buy/{sku}', fn () => DescribedJob::dispatchSync('succeeds') ?? 'bought')->name('shop.buy');

        self::assertSame(200, $this->get('/buy/1'));

        self::assertSame(['route shop.buy', 'job DescribedJob', 'route shop.buy', null], $this->told);
    }

    public function test_a_route_is_told_as_it_was_written_if_it_has_no_name(): void
    {
        Route::post('/orders/{order}/pay', fn () => 'paid');
        Route::get('/cached', fn () => 'ok')->name('generated::Zk3xQ');

        $this->app->make(HttpKernel::class)->handle(Request::create('/orders/7/pay', 'POST'));
        $this->get('/cached');

        self::assertSame(['POST orders/{order}/pay', null, 'GET cached', null], $this->told);
    }

    public function test_a_request_that_throws_or_leads_nowhere_leaves_nothing(): void
    {
        Route::get('/broken', fn () => throw new RuntimeException('broken'))->name('broken');

        self::assertSame(500, $this->get('/broken'));
        self::assertSame(404, $this->get('/nowhere'));

        self::assertSame(['route broken', null], $this->told);
    }

    public function test_requests_of_octane_are_told_one_after_another(): void
    {
        Route::get('/buy', fn () => 'bought')->name('buy');
        Route::get('/broken', fn () => throw new RuntimeException('broken'))->name('broken');

        self::assertSame([200, 500, 200], array_map($this->octaneRequest(...), ['/buy', '/broken', '/buy']));

        self::assertSame(['route buy', null, 'route broken', null, 'route buy', null], $this->told);
    }

    public function test_a_command_is_told(): void
    {
        $input = new ArrayInput([]);
        Event::dispatch(new CommandStarting('report:monthly', $input, new NullOutput));
        DescribedJob::dispatchSync('succeeds');
        Event::dispatch(new CommandFinished('report:monthly', $input, new NullOutput, 0));

        self::assertSame(['artisan report:monthly', 'job DescribedJob', 'artisan report:monthly', null], $this->told);
    }

    /** As a worker of a server that lives on sees a request that was killed in its middle. */
    public function test_what_went_without_a_word_is_forgotten(): void
    {
        Event::dispatch(new CommandStarting('gone', new ArrayInput([]), new NullOutput));
        Route::get('/buy', fn () => 'bought')->name('buy');

        $this->get('/buy');

        self::assertSame(['artisan gone', 'route buy', null], $this->told);
    }

    #[Group('extension')]
    public function test_the_service_provider_tells_the_extension(): void
    {
        $tokens = [];
        self::$inside = function () use (&$tokens) {
            Cache::lock('report', 10)->get(function () use (&$tokens) {
                $tokens[] = $this->redis->cmd('GET', 'app:cache:report');
            });
        };

        DescribedJob::dispatchSync('succeeds');
        (self::$inside)();

        self::assertMatchesRegularExpression('/^rl:[0-9a-f]{32}:-[0-9a-f]+:\S+:\d+ job DescribedJob$/', $tokens[0]);
        self::assertMatchesRegularExpression('/^rl:[0-9a-f]{32}:-[0-9a-f]+:\S+:\d+/', $tokens[1]);
        self::assertStringNotContainsString('job', $tokens[1]);
    }

    #[Group('extension')]
    public function test_the_configuration_may_say_it_instead(): void
    {
        config(['redislock.owner' => 'checkout of shop 7']);

        Cache::lock('report', 10)->get(function () use (&$token) {
            $token = $this->redis->cmd('GET', 'app:cache:report');
        });

        self::assertStringEndsWith(':checkout of shop 7', $token);
        self::assertSame('checkout of shop 7', RedisLock::synchronized('report', fn () => RedisLock::holder('report')['owner']));
    }

    private function get(string $path): int
    {
        $kernel = $this->app->make(HttpKernel::class);
        $request = Request::create($path);
        $response = $kernel->handle($request);
        $kernel->terminate($request, $response);

        return $response->getStatusCode();
    }
}

class DescribedJob implements ShouldQueue
{
    use Queueable;

    public function __construct(private string $end)
    {
    }

    public function handle(): void
    {
        DescriptionTest::$inside !== null && (DescriptionTest::$inside)();
        match ($this->end) {
            'succeeds' => null,
            'fails' => $this->fail(new RuntimeException('the job fails')),
            'throws' => throw new RuntimeException('the job throws'),
        };
    }
}
