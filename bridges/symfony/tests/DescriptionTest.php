<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\Attributes\DataProvider;
use Psr\Log\NullLogger;
use Redislock\Symfony\Description;
use Symfony\Bundle\FrameworkBundle\Console\Application;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\NullOutput;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\DependencyInjection\Definition;
use Symfony\Component\DependencyInjection\Reference;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Messenger\Envelope;
use Symfony\Component\Messenger\Event\WorkerMessageFailedEvent;
use Symfony\Component\Messenger\Event\WorkerMessageHandledEvent;
use Symfony\Component\Messenger\Event\WorkerMessageReceivedEvent;

/** What locks tell of what their process runs. */
final class DescriptionTest extends KernelTestCase
{
    /** @var list<?string> each time that it changes */
    public static array $told = [];

    protected function setUp(): void
    {
        parent::setUp();
        self::$told = [];
        putenv('REDIS_URL=' . self::$server->dsn());
    }

    /** An application that tells us, or as it is. */
    private function boot(bool $records = true): ContainerInterface
    {
        return $this->bootKernel(function (ContainerBuilder $container) use ($records): void {
            $routes = $container->getParameter('kernel.project_dir') . '/routes.php';
            file_put_contents($routes, '<?php return function ($routes) {
                foreach (["buy", "broken", "outer"] as $name) {
                    $routes->add("shop_$name", "/$name")->controller([' . var_export(Shop::class, true) . ', $name]);
                }
            };');
            $container->loadFromExtension('framework', [
                'lock' => 'redislock+%env(REDIS_URL)%',
                'router' => ['resource' => $routes, 'utf8' => true],
            ]);
            $container->register(Shop::class, Shop::class)->setPublic(true)->addTag('controller.service_arguments')
                ->setArguments([new Reference('http_kernel'), new Reference('lock.factory')]);
            $container->register('logger', NullLogger::class);
            $container->register(Report::class, Report::class)->addTag('console.command');
            if ($records) {
                $describe = (new Definition(\Closure::class, [[self::class, 'tell']]))->setFactory([\Closure::class, 'fromCallable']);
                $container->register('recorder', Description::class)->setArguments([$describe])->addTag('kernel.event_subscriber');
            }
            $container->setAlias('the.dispatcher', 'event_dispatcher')->setPublic(true);
        });
    }

    public static function tell(?string $what): void
    {
        self::$told[] = $what;
    }

    private function get(string $path): int
    {
        return $this->kernel->handle(Request::create($path))->getStatusCode();
    }

    /** @param list<?string> $told */
    #[DataProvider('requests')]
    public function testARouteIsToldUntilItsRequestEnds(string $path, int $status, array $told): void
    {
        $this->boot();

        self::assertSame($status, $this->get($path));
        self::assertSame($told, self::$told);
    }

    /** @return iterable<string, array{string, int, list<?string>}> */
    public static function requests(): iterable
    {
        yield 'one' => ['/buy', 200, ['route shop_buy', null]];
        yield 'one that throws' => ['/broken', 500, ['route shop_broken', null]];
        yield 'one that leads nowhere' => ['/nowhere', 404, []];
        yield 'one that makes another' => ['/outer', 200, ['route shop_outer', 'route shop_buy', 'route shop_outer', null]];
    }

    public function testRequestsOfAWorkerAreToldOneAfterAnother(): void
    {
        $this->boot();
        array_map($this->get(...), ['/buy', '/broken', '/buy']);

        self::assertSame(['route shop_buy', null, 'route shop_broken', null, 'route shop_buy', null], self::$told);
    }

    public function testACommandIsTold(): void
    {
        $this->boot();
        $application = new Application($this->kernel);
        $application->setAutoExit(false);

        self::assertSame(0, $application->run(new ArrayInput(['command' => 'app:report']), new NullOutput()));
        self::assertSame(['console app:report', null], self::$told);
    }

    public function testAMessageIsToldInItsWorker(): void
    {
        $events = $this->boot()->get('the.dispatcher');
        foreach ([new Order(), new Order()] as $i => $message) {
            $received = new Envelope($message);
            $events->dispatch(new WorkerMessageReceivedEvent($received, 'async'));
            $later = $received->with();
            $events->dispatch($i === 0 ? new WorkerMessageHandledEvent($later, 'async') : new WorkerMessageFailedEvent($later, 'async', new \Exception()));
        }

        self::assertSame(['message Order', null, 'message Order', null], self::$told);
    }

    public function testTheBundleTellsTheExtension(): void
    {
        $this->boot(records: false);
        $this->get('/buy');

        self::assertMatchesRegularExpression('/^rl:[0-9a-f]{32}:-[0-9a-f]+:\S+:\d+ route shop_buy$/', (string) $this->redis->cmd('GET', 'lock:shop'));
        $this->redis->cmd('DEL', 'lock:shop');
    }
}

final class Shop
{
    public function __construct(private readonly HttpKernelInterface $kernel, private readonly LockFactory $locks)
    {
    }

    public function buy(): Response
    {
        $this->locks->createLock('shop', 20.0, false)->acquire();

        return new Response('bought');
    }

    public function broken(): never
    {
        throw new \RuntimeException('broken');
    }

    public function outer(): Response
    {
        return $this->kernel->handle(Request::create('/buy'), HttpKernelInterface::SUB_REQUEST);
    }
}

#[AsCommand('app:report')]
final class Report extends Command
{
    protected function execute(InputInterface $input, OutputInterface $output): int
    {
        return self::SUCCESS;
    }
}

final class Order
{
}
