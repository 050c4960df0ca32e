<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use Redislock\Symfony\RedisLockStore;
use Symfony\Component\Config\FileLocator;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Loader\YamlFileLoader;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Lock\Store\CombinedStore;

/** What the README shows runs. */
final class ReadmeTest extends ServerTestCase
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
        self::assertCount(1, self::blocks('yaml'));
        self::assertCount(4, self::blocks('php'));
    }

    public function testTheServicesAreALockFactoryOfThisStore(): void
    {
        $folder = sys_get_temp_dir() . '/redislock-readme-' . bin2hex(random_bytes(6));
        mkdir($folder);
        file_put_contents("$folder/services.yaml", self::blocks('yaml')[0]);
        $container = new ContainerBuilder();
        try {
            (new YamlFileLoader($container, new FileLocator($folder)))->load('services.yaml');
        } finally {
            unlink("$folder/services.yaml");
            rmdir($folder);
        }
        $container->getDefinition(LockFactory::class)->setPublic(true);
        $container->compile(resolveEnvPlaceholders: true);

        $lock = $container->get(LockFactory::class)->createLock('SKU0001', 20.0, autoRelease: false);
        self::assertTrue($lock->acquire());
        self::assertSame(['shop:lock:SKU0001'], $this->redis->cmd('KEYS', '*'));
        $lock->release();
        self::assertSame([], $this->redis->cmd('KEYS', '*'));
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
