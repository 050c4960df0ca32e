<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Contracts\Console\Kernel;
use Illuminate\Contracts\Queue\ShouldBeUnique;
use Illuminate\Contracts\Queue\ShouldQueue;
use Illuminate\Foundation\Queue\Queueable;
use Illuminate\Queue\Middleware\WithoutOverlapping;
use Illuminate\Support\Facades\Queue;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Tests\Support\TestCase;
use RuntimeException;

/** What a queue worker does with locks. */
#[Group('uses')]
class JobsTest extends TestCase
{
    /** @var list<string> what the jobs did */
    public static array $done = [];

    protected function setUp(): void
    {
        parent::setUp();
        self::$done = [];
    }

    #[DataProvider('ends')]
    public function test_a_unique_job_is_dispatched_once_until_it_is_over(string $end): void
    {
        UniqueJob::dispatch(7, $end);
        UniqueJob::dispatch(7, $end);
        UniqueJob::dispatch(8, $end);
        self::assertSame(2, Queue::size(), 'the second dispatch of 7 was refused');

        $this->work();

        self::assertSame(["7 $end", "8 $end"], self::$done);
        UniqueJob::dispatch(7, $end);
        UniqueJob::dispatch(7, $end);
        self::assertSame(1, Queue::size(), 'it can be dispatched again, once');
    }

    public static function ends(): array
    {
        return ['success' => ['succeeds'], 'failure' => ['fails'], 'exception' => ['throws']];
    }

    public function test_a_job_that_would_overlap_goes_back_to_the_queue(): void
    {
        OverlappingJob::dispatch('outer', releaseAfter: 60);
        OverlappingJob::dispatch('inner', releaseAfter: 60);

        $this->work(once: true);

        self::assertSame(['outer'], self::$done, 'the inner one was worked on while the outer one ran');
        self::assertSame(1, $this->redis->cmd('ZCARD', 'app:queues:default:delayed'));
        OverlappingJob::dispatch('later', releaseAfter: 60);
        $this->work(once: true);
        self::assertSame(['outer', 'later'], self::$done, 'the lock was released');
    }

    public function test_a_job_that_would_overlap_is_dropped_if_it_says_so(): void
    {
        OverlappingJob::dispatch('outer', releaseAfter: null);
        OverlappingJob::dispatch('inner', releaseAfter: null);

        $this->work(once: true);

        self::assertSame(['outer'], self::$done);
        self::assertSame(0, Queue::size());
    }

    private function work(bool $once = false): void
    {
        $this->app->make(Kernel::class)->call('queue:work', [$once ? '--once' : '--stop-when-empty' => true, '--tries' => 1, '--sleep' => 0]);
    }
}

class UniqueJob implements ShouldBeUnique, ShouldQueue
{
    use Queueable;

    public function __construct(public int $id, private string $end)
    {
    }

    public function uniqueId(): string
    {
        return (string) $this->id;
    }

    public function handle(): void
    {
        JobsTest::$done[] = "{$this->id} {$this->end}";
        match ($this->end) {
            'succeeds' => null,
            'fails' => $this->fail(new RuntimeException('the job fails')),
            'throws' => throw new RuntimeException('the job throws'),
        };
    }
}

class OverlappingJob implements ShouldQueue
{
    use Queueable;

    public function __construct(private string $name, private ?int $releaseAfter)
    {
    }

    public function middleware(): array
    {
        $middleware = new WithoutOverlapping('account 7', expiresAfter: 60);

        return [$this->releaseAfter === null ? $middleware->dontRelease() : $middleware->releaseAfter($this->releaseAfter)];
    }

    public function handle(): void
    {
        JobsTest::$done[] = $this->name;
        if ($this->name === 'outer') { // a second worker comes meanwhile
            app(Kernel::class)->call('queue:work', ['--once' => true, '--tries' => 1, '--sleep' => 0]);
        }
    }
}
