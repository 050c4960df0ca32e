<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use Psr\Log\AbstractLogger;
use RedisLock;
use Redislock\Symfony\RedisLockStore;
use RedisServer;
use Symfony\Component\DependencyInjection\Alias;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\DependencyInjection\Definition;
use Symfony\Component\DependencyInjection\Reference;
use Symfony\Component\Lock\Exception\LockConflictedException;
use Symfony\Component\Lock\Exception\LockReleasingException;
use Symfony\Component\Lock\LockFactory;

/** What an application's container makes of `framework.lock`. */
final class ContainerTest extends KernelTestCase
{
    protected function setUp(): void
    {
        parent::setUp();
        putenv('REDIS_URL=' . self::$server->dsn());
    }

    /**
     * @param array<string, mixed>                    $framework
     * @param (\Closure(ContainerBuilder): mixed)|null $services
     */
    private function boot(array $framework, ?\Closure $services = null): ContainerInterface
    {
        return $this->bootKernel(function (ContainerBuilder $container) use ($framework, $services): void {
            $container->loadFromExtension('framework', $framework);
            $services !== null && $services($container);
        });
    }

    /** @param string|list<string> $resource */
    private function factory(string|array $resource, ?\Closure $services = null): LockFactory
    {
        return $this->boot(['lock' => $resource], function (ContainerBuilder $container) use ($services): void {
            $container->setAlias('the.factory', new Alias('lock.factory', true));
            $services !== null && $services($container);
        })->get('the.factory');
    }

    public function testEveryWayToAFactoryLeadsToItsResource(): void
    {
        $container = $this->boot(
            ['lock' => [
                'default' => 'redislock+%env(REDIS_URL)%?prefix=default:',
                'invoice' => 'redislock+%env(REDIS_URL)%?prefix=invoice:',
            ]],
            function (ContainerBuilder $container): void {
                $autowired = $container->register('autowired', Autowired::class);
                $autowired->setAutowired(true)->setPublic(true);
                foreach (['lock.factory', 'lock.default.factory', 'lock.invoice.factory', LockFactory::class] as $id) {
                    $container->setAlias("the $id", new Alias($id, true));
                }
            },
        );
        $factories = [
            'default:' => [
                $container->get('the lock.factory'),
                $container->get('the lock.default.factory'),
                $container->get('the ' . LockFactory::class),
                $container->get('autowired')->factory,
            ],
            'invoice:' => [$container->get('the lock.invoice.factory'), $container->get('autowired')->invoiceLockFactory],
        ];
        foreach ($factories as $prefix => $some) {
            foreach ($some as $factory) {
                $lock = $factory->createLock('SKU0001', 20.0);
                self::assertTrue($lock->acquire());
                self::assertSame(1, $this->redis->cmd('EXISTS', "{$prefix}SKU0001"));
                $lock->release();
                self::assertSame([], $this->redis->cmd('KEYS', '*'));
            }
        }
    }

    public function testARateLimiterLocksThere(): void
    {
        $limiters = $this->boot(
            [
                'lock' => 'redislock+%env(REDIS_URL)%?timeout=0.1',
                'rate_limiter' => ['api' => ['policy' => 'fixed_window', 'limit' => 1, 'interval' => '1 hour']],
            ],
            fn (ContainerBuilder $container) => $container->setAlias('the.limiter', new Alias('limiter.api', true)),
        )->get('the.limiter');
        $this->redis->cmd('SET', 'lock:api-somebody', 'of somebody else');
        try {
            $limiters->create('somebody')->consume();
            self::fail('it does not ask this Redis');
        } catch (LockConflictedException) {
        }

        $this->redis->cmd('DEL', 'lock:api-somebody');
        self::assertTrue($limiters->create('somebody')->consume()->isAccepted());
        self::assertFalse($limiters->create('somebody')->consume()->isAccepted());
        self::assertSame([], $this->redis->cmd('KEYS', '*'));
    }

    public function testTheDsnIsReadAtRunTimeAndNotKept(): void
    {
        $server = RedisServer::start(tcp: true, password: 'of-the-application');
        putenv('LOCK_DSN=redislock' . substr($server->tcpDsn(':of-the-application'), strlen('redis')));
        $factory = $this->factory('%env(LOCK_DSN)%');
        $lock = $factory->createLock('SKU0001', 20.0);

        self::assertTrue($lock->acquire());
        self::assertSame(1, $server->client()->cmd('EXISTS', 'lock:SKU0001'));
        $files = new \RecursiveIteratorIterator(new \RecursiveDirectoryIterator($this->kernel->getCacheDir(), \FilesystemIterator::SKIP_DOTS));
        foreach ($files as $file) {
            self::assertStringNotContainsString('of-the-application', file_get_contents((string) $file), (string) $file);
        }
        self::assertGreaterThan(0, iterator_count($files));
        $lock->release();
    }

    #[DataProvider('services')]
    public function testAServiceCanBeTheResource(string $id): void
    {
        $factory = $this->factory($id, self::registerServices(...));
        $lock = $factory->createLock('SKU0001', 20.0);
        self::assertTrue($lock->acquire());
        self::assertSame(1, $this->redis->cmd('EXISTS', 'shop:SKU0001'));
        self::assertFalse($factory->createLock('SKU0001')->acquire());
        $lock->release();
        self::assertSame([], $this->redis->cmd('KEYS', '*'));
    }

    /** @return iterable<string, array{string}> */
    public static function services(): iterable
    {
        yield 'a RedisLock' => ['app.lock'];
        yield 'a store' => ['app.store'];
    }

    private static function registerServices(ContainerBuilder $container): void
    {
        $container->setDefinition('app.lock', new Definition(RedisLock::class, ['%env(REDIS_URL)%', ['prefix' => 'shop:']]));
        $container->setDefinition('app.store', new Definition(RedisLockStore::class, [new Reference('app.lock'), 60.0]));
    }

    /** A RedisLock of several servers asks them at once, and waits in them. */
    public function testARedlockCanBeTheResource(): void
    {
        $servers = [RedisServer::start(), RedisServer::start(), RedisServer::start()];
        $dsns = array_map(fn ($server) => $server->dsn(), $servers);
        $factory = $this->factory(
            'app.lock',
            fn (ContainerBuilder $container) => $container->setDefinition('app.lock', new Definition(RedisLock::class, [$dsns, ['node_timeout' => 5.0]])),
        );
        $lock = $factory->createLock('SKU0001', 20.0);

        self::assertTrue($lock->acquire(true));
        self::assertTrue($lock->isAcquired());
        self::assertSame([1, 1, 1], self::exist($servers));
        self::assertFalse($factory->createLock('SKU0001')->acquire());
        $lock->refresh(30.0);
        $lock->release();
        self::assertSame([0, 0, 0], self::exist($servers));
    }

    /** Symfony's CombinedStore: the Key has a token for each server. */
    public function testAListOfResourcesIsAMajority(): void
    {
        $servers = [RedisServer::start(), RedisServer::start(), RedisServer::start()];
        $factory = $this->factory(array_map(fn ($server) => 'redislock+' . $server->dsn(), $servers));
        $lock = $factory->createLock('SKU0001', 20.0);

        self::assertTrue($lock->acquire());
        self::assertSame([1, 1, 1], self::exist($servers));
        $servers[0]->pause();
        $servers[0]->kill();
        self::assertTrue($lock->isAcquired(), 'two of three are a majority');
        try {
            $lock->release();
        } catch (LockReleasingException) {
        }
        self::assertSame([0, 0], self::exist(array_slice($servers, 1)));
    }

    /**
     * @param list<RedisServer> $servers
     *
     * @return list<int>
     */
    private static function exist(array $servers): array
    {
        return array_map(fn ($server) => $server->client()->cmd('EXISTS', 'lock:SKU0001'), $servers);
    }

    #[DataProvider('others')]
    public function testResourcesOfSymfonyStayThere(string $resource): void
    {
        $lock = $this->factory($resource)->createLock('SKU0001', 20.0);
        self::assertTrue($lock->acquire());
        self::assertSame([], $this->redis->cmd('KEYS', '*'));
        self::assertTrue($lock->isAcquired());
        $lock->release();
    }

    /** @return iterable<string, array{string}> */
    public static function others(): iterable
    {
        yield 'a word' => ['in-memory'];
        yield 'a word with a store of its own' => ['flock'];
        yield 'a DSN' => ['flock:///tmp'];
    }

    public function testALossIsLogged(): void
    {
        $factory = $this->factory('redislock+%env(REDIS_URL)%', fn (ContainerBuilder $container) => $container
            ->register('logger', Log::class)->setPublic(true));
        $lock = $factory->createLock('SKU0001', 20.0);
        $lock->acquire();
        $this->redis->cmd('DEL', 'lock:SKU0001');
        $lock->release();

        $told = array_filter($this->kernel->getContainer()->get('logger')->lines, fn ($line) => str_starts_with($line, 'warning'));
        self::assertSame(['warning: The lease of the "{resource}" lock had ended before it was released.'], array_values($told));
    }
}

final class Autowired
{
    public function __construct(public readonly LockFactory $factory, public readonly LockFactory $invoiceLockFactory)
    {
    }
}

final class Log extends AbstractLogger
{
    /** @var list<string> */
    public array $lines = [];

    public function log($level, string|\Stringable $message, array $context = []): void
    {
        $this->lines[] = "$level: $message";
    }
}
