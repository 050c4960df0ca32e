<?php

namespace Redislock\Laravel\Tests\Support;

use ArrayObject;
use Illuminate\Console\Application as Artisan;
use Illuminate\Container\Container;
use Illuminate\Contracts\Http\Kernel as HttpKernel;
use Illuminate\Foundation\Application;
use Illuminate\Foundation\Bootstrap\HandleExceptions;
use Illuminate\Http\Request;
use Illuminate\Log\Events\MessageLogged;
use Illuminate\Support\Carbon;
use Illuminate\Support\Facades\Facade;
use PHPUnit\Framework\TestCase as BaseTestCase;
use RawClient;
use Redislock\Laravel\OncePerDay;
use RedisServer;
use ReflectionProperty;
use Worker;

abstract class TestCase extends BaseTestCase
{
    protected Application $app;

    /** Beside Laravel, in the database of the locks. */
    protected RawClient $redis;

    private static ?RedisServer $server = null;

    protected static function server(): RedisServer
    {
        return self::$server ??= RedisServer::start(tcp: true);
    }

    /** @return array<string, mixed> what the tests of a class have configured, in dot notation */
    protected function config(): array
    {
        return [];
    }

    protected function setUp(): void
    {
        $this->redis = self::server()->client();
        $this->redis->cmd('FLUSHALL');
        $this->app = $this->boot();
    }

    protected function tearDown(): void
    {
        Carbon::setTestNow();
        $this->app->flush();
        Artisan::forgetBootstrappers();
        Facade::clearResolvedInstances();
        Container::setInstance(null);
        HandleExceptions::flushState($this);
    }

    /** Another application, on the same Redis: the current one from now on. */
    protected function boot(array $config = []): Application
    {
        return Laravel::boot(self::server()->port(), $config + $this->config());
    }

    /** @return ArrayObject<int, string> the warnings that are logged from now on */
    protected function warnings(): ArrayObject
    {
        $warnings = new ArrayObject();
        $this->app['events']->listen(MessageLogged::class, function (MessageLogged $logged) use ($warnings) {
            if ($logged->level === 'warning') {
                $warnings[] = $logged->message;
            }
        });

        return $warnings;
    }

    /** As if nobody had warned of anything today. */
    protected function forgetWarnings(): void
    {
        $this->beAnotherProcess();
        array_map(unlink(...), $this->warningMarks());
    }

    /** @return list<string> the files that remember what was warned of */
    protected function warningMarks(): array
    {
        return glob($this->app->storagePath('framework/cache/redislock-*'));
    }

    /** As far as warnings know. */
    protected function beAnotherProcess(): void
    {
        (new ReflectionProperty(OncePerDay::class, 'told'))->setValue(null, []);
    }

    /** Octane gives each request a clone of the application, and forgets that afterwards. */
    protected function octaneRequest(string $path): int
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

    /** Runs $code in a process with an application of its own; `$say` prints a line. */
    protected function process(string $code, bool $extension = true): Worker
    {
        $code = 'require '.var_export(dirname(__DIR__).'/bootstrap.php', true).';'
            .'$app = '.Laravel::class.'::boot((int) $argv[1], json_decode($argv[2], true));'
            .'$say = function (string $line) { echo "$line\n"; };'
            .$code;
        $args = [self::server()->port(), json_encode($this->config())];

        return $extension ? Worker::start($code, $args) : Worker::start(
            '$php = array_slice($argv, 1); pcntl_exec($php[0], array_slice($php, 1));',
            [...self::bareCommand(), '-r', $code, '--', ...$args],
        );
    }

    /** Waits until it holds; the test fails where that takes too long. */
    protected function eventually(callable $holds, string $what): void
    {
        for ($until = microtime(true) + 20; ! $holds(); usleep(2000)) {
            if (microtime(true) > $until) {
                self::fail("It did not happen: $what");
            }
        }
    }

    /** The PHP of this test without the extension. */
    private static function bareCommand(): array
    {
        $command = php_command();
        foreach ($command as $i => $word) {
            if (preg_match('~^extension=.*redislock(\.so)?$~', $word)) {
                unset($command[$i - 1], $command[$i]);
            }
        }

        return array_values($command);
    }
}
