<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Foundation\Application;
use PHPUnit\Framework\Attributes\TestWith;
use Redislock\Laravel\Connections\ConnectionMap;
use Redislock\Laravel\Tests\Support\TestCase;
use ReflectionClass;

/** The connections as a fresh application of this Laravel has them; their settings come and go with its releases. */
class DefaultConfigurationTest extends TestCase
{
    #[TestWith(['phpredis'])]
    #[TestWith(['predis'])]
    public function test_all_of_it_is_known(string $client): void
    {
        $framework = dirname((new ReflectionClass(Application::class))->getFileName(), 4);
        $redis = ['client' => $client] + (require "$framework/config/database.php")['redis'];

        foreach (['default' => 0, 'cache' => 1] as $name => $database) {
            $server = ConnectionMap::server($redis, $name);

            self::assertSame(["redis://127.0.0.1:6379/$database", []], $server->arguments([]));
            self::assertMatchesRegularExpression('/^laravel[_-]database[_-]$/', $server->prefix);
            self::assertSame([], $server->unknown, 'Laravel '.Application::VERSION.' has it: can it lead a lock to another place?');
        }
    }
}
