<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\Redis as RedisFacade;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\Attributes\Group;
use Redis;
use Redislock\Laravel\Tests\Support\TestCase;

/** Locks of ours and of Laravel's own Redis driver are the same locks. */
#[Group('extension')]
class InterplayTest extends TestCase
{
    /** @param array<string, mixed> $config of database.redis */
    #[DataProvider('clients')]
    public function test_ours_and_laravels_own_exclude_each_other(array $config): void
    {
        $this->use($config);
        foreach ([['redislock', 'redis'], ['redis', 'redislock']] as [$one, $other]) {
            $lock = Cache::store($one)->lock('SKU0001', 10);
            self::assertTrue($lock->get());
            self::assertFalse(Cache::store($other)->lock('SKU0001', 10)->get(), "$other is kept out by $one");
            self::assertTrue(Cache::store($other)->restoreLock('SKU0001', $lock->owner())->isOwnedByCurrentProcess());
            self::assertTrue(Cache::store($other)->lock('SKU0001')->isOwnedBy($lock->owner()));

            self::assertFalse(Cache::store($other)->lock('SKU0001')->release(), 'it has another owner');
            self::assertTrue(Cache::store($other)->restoreLock('SKU0001', $lock->owner())->release());
            self::assertFalse($lock->release());
        }
        self::assertSame([], all_keys($this->redis));
    }

    public static function clients(): array
    {
        return [
            'phpredis' => [['client' => 'phpredis']],
            'phpredis without a prefix' => [['client' => 'phpredis', 'options.prefix' => null]],
            'phpredis, serializing by PHP' => [['default.options' => ['serializer' => Redis::SERIALIZER_PHP]]],
            'phpredis, serializing to JSON' => [['options.serializer' => Redis::SERIALIZER_JSON]],
            'phpredis, compressing' => [['default.compression' => Redis::COMPRESSION_LZF]],
            'phpredis, both' => [['options.compression' => Redis::COMPRESSION_ZSTD, 'options.serializer' => Redis::SERIALIZER_IGBINARY]],
            'phpredis with a prefix of the connection' => [['default.prefix' => 'own:']],
            'predis' => [['client' => 'predis']],
            'predis with a prefix of the connection' => [['client' => 'predis', 'default.prefix' => 'own:']],
        ];
    }

    public function test_a_wait_for_laravels_own_lock_ends_with_its_release(): void
    {
        $holder = $this->process('
            $lock = Cache::store("redis")->lock("SKU0001", 60);
            $say($lock->get() ? "held" : "refused");
            fgets(STDIN);
            $lock->release();
        ');
        self::assertSame('held', $holder->readLine());
        $holder->tell('release');

        self::assertTrue(Cache::lock('SKU0001', 10)->betweenBlockedAttemptsSleepFor(10)->block(20));
    }

    public function test_processes_with_and_without_the_extension_never_overlap(): void
    {
        $code = '
            $say(extension_loaded("redislock") ? "with" : "without");
            fgets(STDIN);
            $redis = Illuminate\Support\Facades\Redis::connection();
            for ($until = microtime(true) + 20; $redis->scard("done") < 4 && microtime(true) < $until;) {
                $lock = Cache::lock("SKU0001", 10);
                if ($lock->get()) {
                    $redis->incr("inside") > 1 && $redis->incr("overlaps");
                    usleep(500);
                    $redis->decr("inside");
                    $redis->incr("sections:".getmypid()) >= 20 && $redis->sadd("done", getmypid());
                    $lock->release();
                }
                usleep(random_int(100, 1000));
            }';
        $processes = array_map(fn ($extension) => $this->process($code, $extension), [true, false, true, false]);
        self::assertSame(['with', 'without', 'with', 'without'], array_map(fn ($process) => $process->readLine(), $processes));
        array_walk($processes, fn ($process) => $process->tell('go'));
        foreach ($processes as $process) {
            self::assertSame('', trim($process->output()));
        }

        self::assertSame(4, RedisFacade::scard('done'), 'each had its sections');
        self::assertNull(RedisFacade::get('overlaps'));
    }

    protected function config(): array
    {
        return ['cache.stores.redis' => ['driver' => 'redis', 'connection' => 'cache', 'lock_connection' => 'default']];
    }

    /** @param array<string, mixed> $config */
    private function use(array $config): void
    {
        foreach ($config as $key => $value) {
            config(["database.redis.$key" => $value]);
        }
    }
}
