<?php

namespace Redislock\Laravel\Tests;

use PHPUnit\Framework\Attributes\Group;
use Redislock\Laravel\Tests\Support\TestCase;

/** Two requests of one session at once, in two processes. */
#[Group('uses')]
class SessionBlockingTest extends TestCase
{
    /** It answers how many were in the route with it, and stays there until the other has come or plainly does not. */
    private const REQUEST = <<<'PHP'
        use Illuminate\Contracts\Http\Kernel;
        use Illuminate\Http\Request;
        use Illuminate\Session\Middleware\StartSession;
        use Illuminate\Support\Facades\Redis;
        use Illuminate\Support\Facades\Route;

        Route::get('/cart', function () {
            $most = Redis::incr('inside');
            for ($i = 0; $i < 300 && ($i < 60 || Redis::get('sent') < 2); $i++) {
                usleep(5000);
                $most = max($most, (int) Redis::get('inside'));
            }
            Redis::decr('inside');
            return (string) $most;
        })->block(10, 20)->middleware(StartSession::class);

        $request = Request::create('/cart', cookies: [config('session.cookie') => str_repeat('s', 40)]);
        $kernel = $app->make(Kernel::class);
        $kernel->bootstrap();
        $say('ready');
        fgets(STDIN);
        Redis::incr('sent');
        $say($kernel->handle($request)->getContent());
        PHP;

    public function test_they_come_one_after_another(): void
    {
        $requests = [$this->process(self::REQUEST), $this->process(self::REQUEST)];
        foreach ($requests as $request) {
            self::assertSame('ready', $request->readLine());
        }
        foreach ($requests as $request) {
            $request->tell('go');
        }

        self::assertSame(['1', '1'], array_map(fn ($request) => $request->readLine(), $requests));
    }
}
