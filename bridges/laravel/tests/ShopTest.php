<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Contracts\Http\Kernel;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\DB;
use Illuminate\Support\Facades\Route;
use Illuminate\Support\Facades\Schema;
use Illuminate\Support\ServiceProvider;
use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;
use Symfony\Component\HttpFoundation\Response;

/** The shop of the extension's page on the flash sale, in both languages. */
#[Group('extension')]
class ShopTest extends TestCase
{
    protected function tearDown(): void
    {
        parent::tearDown();
        putenv('REDISLOCK_SERVER');
    }

    public function test_its_provider_binds_the_lock(): void
    {
        putenv('REDISLOCK_SERVER='.self::server()->dsn());
        foreach ($this->blocks('// app/Providers/AppServiceProvider.php') as $register) {
            $provider = $this->evaluate("namespace %s; use RedisLock; class Provider extends \\".ServiceProvider::class." { $register }", 'Provider');
            (new $provider($this->app))->register();

            self::assertTrue($this->app->make(\RedisLock::class)->lock('SKU0001', 0, 10));
            self::assertNotNull($this->redis->cmd('GET', 'shop:lock:SKU0001'));
            $this->redis->cmd('FLUSHALL');
        }
    }

    public function test_its_controller_sells_what_there_is(): void
    {
        foreach ($this->blocks('// app/Http/Controllers/BuyController.php') as $code) {
            $this->openShop($this->evaluate(str_replace('namespace App\Http\Controllers;', 'namespace %s;', $code), 'BuyController'));

            self::assertSame([201, 201, 409], [$this->buy()->getStatusCode(), $this->buy()->getStatusCode(), $this->buy()->getStatusCode()]);
            self::assertSame([2, 0], [DB::table('orders')->count(), (int) DB::table('products')->value('stock')]);
        }
    }

    public function test_its_controller_refuses(): void
    {
        foreach ($this->blocks('// app/Http/Controllers/BuyController.php') as $code) {
            $this->openShop($this->evaluate(str_replace('namespace App\Http\Controllers;', 'namespace %s;', $code), 'BuyController'));

            $fake = RedisLock::fake()->heldElsewhere('stock:SKU0001');
            $busy = $this->buy();
            self::assertSame([503, '1'], [$busy->getStatusCode(), $busy->headers->get('Retry-After')]);

            $fake->freed('stock:SKU0001');
            DB::listen(fn () => $fake->heldElsewhere('stock:SKU0001'));
            self::assertSame(201, $this->buy()->getStatusCode(), 'lost, but committed');

            $this->app->bind(\RedisLock::class, fn () => new \RedisLock('unix:///nowhere.sock'));
            self::assertSame(503, $this->buy()->getStatusCode(), 'Redis is down');
            self::assertSame(1, DB::table('orders')->count());
            $this->app = $this->boot();
        }
    }

    private function openShop(string $controller): void
    {
        Schema::dropAllTables();
        Schema::create('products', function (Blueprint $table) {
            $table->string('sku');
            $table->integer('stock');
        });
        Schema::create('orders', function (Blueprint $table) {
            $table->id();
            $table->string('sku');
            $table->string('buyer');
        });
        DB::table('products')->insert(['sku' => 'SKU0001', 'stock' => 2]);
        Route::post('/buy/{sku}', $controller);
    }

    private function buy(): Response
    {
        $request = Request::create('/buy/SKU0001', 'POST', ['buyer' => 'me'], server: ['HTTP_ACCEPT' => 'application/json']);

        return $this->app->make(Kernel::class)->handle($request);
    }

    /** Declares it in a namespace of its own, '%s', and returns the name of its class. */
    private function evaluate(string $code, string $class): string
    {
        $namespace = 'Shop'.bin2hex(random_bytes(4));
        eval(str_replace('%s', $namespace, $code));

        return "$namespace\\$class";
    }

    /** @return non-empty-list<string> the blocks of both that begin so */
    private function blocks(string $begin): array
    {
        $found = [];
        foreach (['docs/flash-sale.md', 'docs/zh-CN/flash-sale.md'] as $file) {
            preg_match_all('~^```php\n('.preg_quote($begin, '~').'\n.*?)^```$~ms', file_get_contents(dirname(__DIR__, 3)."/$file"), $blocks);
            self::assertNotEmpty($blocks[1], $file);
            $found = [...$found, ...$blocks[1]];
        }

        return $found;
    }
}
