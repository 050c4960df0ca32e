<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use Redislock\Symfony\RedisLockStore;
use Redislock\Symfony\RedislockSymfonyBundle;
use RedisServer;
use Symfony\Component\Config\Loader\LoaderInterface;
use Symfony\Component\DependencyInjection\Alias;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\CombinedStore;

/** What the README shows runs. */
final class ReadmeTest extends KernelTestCase
{
    protected function setUp(): void
    {
        parent::setUp();
        putenv('REDIS_URL=' . self::$server->dsn());
    }

    /** @return list<string> */
    private static function blocks(string $language): array
    {
        preg_match_all("/^```$language\n(.*?)^```$/ms", file_get_contents(dirname(__DIR__) . '/README.md'), $found);

        return $found[1];
    }

    private static function block(string $word): string
    {
        $found = array_values(array_filter(self::blocks('php'), fn ($block) => str_contains($block, $word)));
        self::assertCount(1, $found, "one block has $word");

        return $found[0];
    }

    public function testThereAreBlocks(): void
    {
        self::assertCount(5, self::blocks('yaml'));
        self::assertCount(5, self::blocks('php'));
    }

    public function testTheBundleIsThere(): void
    {
        self::assertSame([RedislockSymfonyBundle::class => ['all' => true]], eval(self::block('bundles.php')));
    }

    #[DataProvider('configurations')]
    public function testTheConfigurationMakesAFactoryOfThisStore(int $block, string $key): void
    {
        putenv('LOCK_DSN=redislock+' . self::$server->dsn());
        $factory = $this->factoryOf(self::blocks('yaml')[$block]);
        $lock = $factory->createLock('SKU0001', 20.0);
        self::assertTrue($lock->acquire());
        self::assertSame(1, $this->redis->cmd('EXISTS', $key));
        $lock->release();
        self::assertSame([], $this->redis->cmd('KEYS', '*'));
    }

    /** @return iterable<string, array{int, string}> */
    public static function configurations(): iterable
    {
        yield 'one resource' => [0, 'shop:lock:SKU0001'];
        yield 'several' => [1, 'lock:SKU0001'];
        yield 'a service' => [2, 'shop:lock:SKU0001'];
    }

    public function testARedlockIsConfigured(): void
    {
        $servers = [RedisServer::start(), RedisServer::start(), RedisServer::start()];
        $yaml = self::blocks('yaml')[3];
        foreach ($servers as $i => $server) {
            $yaml = str_replace('redis://10.0.0.' . $i + 1, $server->dsn(), $yaml, $count);
            self::assertSame(1, $count);
        }
        $lock = $this->factoryOf($yaml)->createLock('SKU0001', 20.0);
        self::assertTrue($lock->acquire(true));
        foreach ($servers as $server) {
            self::assertSame(1, $server->client()->cmd('EXISTS', 'shop:lock:SKU0001'));
        }
        $lock->release();
    }

    private function factoryOf(string $yaml): LockFactory
    {
        return $this->bootKernel(function (ContainerBuilder $container, LoaderInterface $loader) use ($yaml): void {
            $file = $container->getParameter('kernel.project_dir') . '/lock.yaml';
            file_put_contents($file, $yaml);
            $loader->load($file);
            $container->setAlias('the.factory', new Alias('lock.factory', true));
        })->get('the.factory');
    }

    #[DataProvider('factories')]
    public function testWithoutTheFramework(string $word, string $key): void
    {
        eval(self::block($word));
        $lock = (new LockFactory($store))->createLock('SKU0001');

        self::assertInstanceOf(RedisLockStore::class, $store);
        self::assertTrue($lock->acquire(true));
        self::assertSame([$key], $this->redis->cmd('KEYS', '*'));
    }

    /** @return iterable<string, array{string, string}> */
    public static function factories(): iterable
    {
        yield 'by hand' => ['timeout: 5.0', 'shop:lock:SKU0001'];
        yield 'to move' => ["'prefix' => ''", 'SKU0001'];
    }

    public function testTheShopSells(): void
    {
        eval(self::block('class Shop'));
        $db = new \PDO('sqlite::memory:');
        $db->exec("CREATE TABLE products (sku TEXT, stock INT); INSERT INTO products VALUES ('SKU0001', 2)");
        $shop = new \Shop(new LockFactory($this->store(timeout: 0.1)), $db);

        self::assertSame(['sold', 'sold', 'sold out'], [$shop->buy('SKU0001'), $shop->buy('SKU0001'), $shop->buy('SKU0001')]);
        self::assertSame([], $this->redis->cmd('KEYS', '*'));
        $this->redis->cmd('SET', 'lock:stock:SKU0001', 'of somebody else');
        self::assertSame('busy', $shop->buy('SKU0001'));
    }

    public function testSeveralServers(): void
    {
        $code = preg_replace('~redis://10\.0\.0\.\d~', self::$server->dsn(), self::block('CombinedStore'), -1, $count);
        self::assertSame(3, $count);
        // One server for all three: so the first gets it and the others do not, which is no majority.
        eval($code);

        self::assertInstanceOf(CombinedStore::class, $store);
        self::assertCount(3, $stores);
        self::assertFalse((new LockFactory($store))->createLock('SKU0001')->acquire());
    }
}
