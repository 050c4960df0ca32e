<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Support\Facades\Cache;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\About;
use Redislock\Laravel\Cache\RedisLockStore;
use Redislock\Laravel\Connections\ConnectionMap;
use Redislock\Laravel\Connections\PhpRedisClusterMap;
use Redislock\Laravel\Connections\PhpRedisMap;
use Redislock\Laravel\Connections\PredisListMap;
use Redislock\Laravel\Connections\PredisMap;
use Redislock\Laravel\Tests\Support\TestCase;
use ReflectionClass;
use ReflectionClassConstant;

/** The README does what it says. */
class ReadmeTest extends TestCase
{
    #[Group('extension')]
    public function test_its_code_runs(): void
    {
        $blocks = $this->blocks();
        self::assertCount(8, $blocks);
        config(['cache.stores' => eval('return ['.array_shift($blocks).'];')]);
        foreach (array_filter($blocks, fn (string $block) => ! str_contains($block, 'mymaster')) as $block) {
            $this->execute($block);
            self::assertSame([], all_keys($this->redis), $block);
        }
    }

    #[Group('extension')]
    public function test_its_tenant_has_another_database(): void
    {
        self::assertTrue(Cache::lock('before', 10)->get(fn () => true));
        $this->execute($this->blocks()[7]);

        self::assertTrue(Cache::lock('SKU0001', 10)->get());
        $this->redis->cmd('SELECT', 5);
        self::assertSame(['app:cache:SKU0001'], all_keys($this->redis));
    }

    #[Group('extension')]
    public function test_its_sentinels_are_understood(): void
    {
        eval($this->blocks()[5]);
        self::assertSame(
            ['redis-sentinel://sentinel-1:26379,sentinel-2:26379/mymaster/0', ['password' => 'of-the-master', 'sentinel_password' => 'of-the-sentinels']],
            ConnectionMap::server($redis, 'default')->arguments([]),
        );

        eval($this->blocks()[6]);
        config(['cache.stores' => $stores]);
        self::assertSame(
            'redis-sentinel://sentinel-1,sentinel-2,sentinel-3/mymaster/0',
            $this->app->make(About::class)->lines()['Locks of the cache store redislock'],
        );
        self::assertInstanceOf(RedisLockStore::class, Cache::store('redislock')->getStore());
    }

    public function test_its_store_is_the_one_of_these_tests(): void
    {
        self::assertSame(['redislock' => config('cache.stores.redislock')], eval('return ['.$this->blocks()[0].'];'));
    }

    public function test_it_has_every_setting(): void
    {
        $readme = $this->readme();
        foreach (array_keys(require dirname(__DIR__).'/config/redislock.php') as $key) {
            self::assertMatchesRegularExpression("/^\\|.*`$key`.*\\|/m", $readme, $key);
        }
        foreach ([PhpRedisMap::class, PhpRedisClusterMap::class, PredisMap::class] as $map) {
            foreach ((new ReflectionClassConstant($map, 'WITHOUT_EFFECT'))->getValue() as $key) {
                $key = str_starts_with($key, 'backoff_') ? 'backoff_…' : $key;
                self::assertMatchesRegularExpression("/^\\|.*`(options\.)?$key`.*\\|/m", $readme, $key);
            }
        }
        foreach (['TLS_OPTIONS', 'TLS_REFUSED', 'ELSEWHERE'] as $list) {
            foreach ((new ReflectionClassConstant(ConnectionMap::class, $list))->getValue() as $key) {
                self::assertMatchesRegularExpression("/^\\|.*`(options\.)?$key`.*\\|/m", $readme, $key);
            }
        }
        $sources = '';
        foreach ([ConnectionMap::class, PhpRedisMap::class, PredisMap::class, PredisListMap::class] as $map) {
            $sources .= file_get_contents((new ReflectionClass($map))->getFileName());
        }
        preg_match_all("/->(?:pull|seconds|text|number)\('(\w+)'/", $sources, $read);
        self::assertGreaterThan(12, count($read[1]));
        foreach (array_unique($read[1]) as $key) {
            self::assertMatchesRegularExpression("/^\\|.*`(options\.)?$key`.*\\|/m", $readme, $key);
        }
    }

    /** As in a file of its own, where Laravel's facades are at hand by their aliases. */
    private function execute(string $block): void
    {
        eval('namespace Application'.bin2hex(random_bytes(4)).'; use Cache, DB; '.$block);
    }

    private function readme(): string
    {
        return file_get_contents(dirname(__DIR__).'/README.md');
    }

    /** @return list<string> */
    private function blocks(): array
    {
        preg_match_all('/^```php\n(.*?)^```$/ms', $this->readme(), $blocks);

        return $blocks[1];
    }
}
