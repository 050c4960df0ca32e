<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Log;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;
use RuntimeException;

/** A setting that a newer Laravel has, and the bridge does not know: it locks, and says so in the log. */
#[Group('extension')]
class UnknownSettingsTest extends TestCase
{
    private const WARNING = 'redislock ignores what it does not know in config/database.php: database.redis.default.tuning';

    protected function setUp(): void
    {
        parent::setUp();
        $this->forgetWarnings();
    }

    public function test_the_store_locks_and_warns_once(): void
    {
        $warnings = $this->warnings();

        self::assertTrue(Cache::lock('SKU0001', 10)->get());
        self::assertFalse(Cache::lock('SKU0001', 10)->get());

        self::assertSame([self::WARNING], (array) $warnings);
    }

    public function test_the_class_locks_and_warns_once(): void
    {
        $warnings = $this->warnings();

        self::assertTrue(RedisLock::lock('SKU0001', 0, 10));
        self::assertTrue(RedisLock::unlock('SKU0001'));

        self::assertSame([self::WARNING], (array) $warnings);
    }

    public function test_the_next_process_warns_on_the_next_day(): void
    {
        Cache::store('redislock');
        $this->app = $this->boot();
        $this->beAnotherProcess();
        $warnings = $this->warnings();

        Cache::store('redislock');
        self::assertSame([], (array) $warnings);

        $this->app = $this->boot();
        [$mark] = $this->warningMarks();
        touch($mark, time() - 2 * 86400);
        $warnings = $this->warnings();

        Cache::store('redislock');
        self::assertSame([self::WARNING], (array) $warnings);
    }

    public function test_where_nothing_can_be_remembered_each_process_warns(): void
    {
        $folder = $this->app->storagePath('framework/cache');
        rename($folder, "$folder.away");
        try {
            $warnings = $this->warnings();
            Cache::store('redislock');
            RedisLock::lock('SKU0001', 0, 10);
            self::assertSame([self::WARNING], (array) $warnings);
        } finally {
            rename("$folder.away", $folder);
        }
    }

    public function test_a_log_that_fails_keeps_nobody_from_locking(): void
    {
        Log::listen(fn () => throw new RuntimeException('the disk is full'));

        self::assertTrue(Cache::lock('SKU0001', 10)->get());
    }

    protected function config(): array
    {
        return ['database.redis.default.tuning' => 'secret'];
    }
}
