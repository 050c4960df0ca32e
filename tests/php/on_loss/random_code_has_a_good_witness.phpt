--TEST--
The witness of random code comes through whatever a program throws and leaves behind, and sees what is left out
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/random_code.inc';

/** Throws an exception when it is destroyed. */
final class Thrower
{
    public function __destruct()
    {
        throw new LogicException('destroyed');
    }
}

function run(string $what, Closure $program, string $on_loss = 'throw'): void
{
    global $server;
    $lock = new RedisLock($server->dsn(), ['on_loss' => $on_loss, 'prefix' => "$what:"]);
    $witness = new Witness($lock);
    $witness->run(fn (Witness $w, Place $at) => $program($w, $at, $lock));
    echo "$what: ", implode('; ', [...$witness->wrong, ...$witness->missed]) ?: 'nothing wrong', "\n";
}

$server = RedisServer::start();

/** Runs code within a try, and then more in its finally. */
function part(Witness $w, Closure $try, ?Closure $finally = null): void
{
    $part = $w->newPart();
    try {
        $w->tries($part);
        $try();
    } finally {
        $w->ran($part);
        try {
            $finally && $finally(new Place(null, 'finally', $part));
        } catch (Throwable $e) {
            $w->passes($part, $e);
            throw $e;
        }
        $w->ended($part);
    }
}

run('a part that is left out', function (Witness $w) {
    $w->tries($w->newPart());
});

run('a loss that is thrown into a part', function (Witness $w, Place $at, RedisLock $lock) {
    $w->lock();
    part($w, fn () => null, fn () => $lock->ensure('n0', LONG));
}, 'flag');

run('a loss that a generator keeps while it is suspended', function (Witness $w, Place $at) {
    $code = function () use ($w) {
        $part = $w->newPart();
        try {
            $w->tries($part);
            compute(LONG); // a notice comes
        } finally {
            $w->ran($part);
            yield;
            $w->ended($part);
        }
    };
    $w->lock();
    $generator = new Owner($code());
    part($w, fn () => $generator->code->current(), fn () => $generator->code->next());
});

run('a loss that comes before the one that was caught is looked at', function (Witness $w) {
    try {
        $w->lock();
        compute(0.005);
        $w->lock();
        compute(LONG);
    } catch (RedisLockLostException $e) {
        $w->caught[] = $e;
        unset($e);
        compute(LONG);
    }
});

run('the exception of a destructor, and a suspended fiber behind it', function (Witness $w) {
    part($w, function () {
        $first = new Thrower();
        $second = new Owner(new Fiber(fn () => Fiber::suspend()));
        $second->code->start();
    });
});

run('an exception, and a generator that throws behind it', function (Witness $w) {
    part($w, function () {
        $generator = new Owner((function () {
            try {
                yield;
            } finally {
                throw new LogicException('in the generator');
            }
        })());
        $generator->code->current();
        throw new LogicException('outside');
    });
});

run('a fiber that is destroyed after the loss that came when it was suspended', function (Witness $w, Place $at) {
    $base = new Place(null, 'fiber');
    $work = function () use ($w, $base) {
        compute(0.05);
        $w->pause($base);
    };
    $fiber = new Owner(new Fiber(fn () => part($w, $work, fn ($at) => $w->section(new Place($base, 'finally'), $w->work(...)))));
    $w->lock();
    try {
        $w->start($fiber, $base, $at);
    } catch (RedisLockLostException $e) {
        $w->caught[] = $e;
        unset($e);
    }
});
?>
--EXPECTF--
a part that is left out: part 1 was left out
a loss that is thrown into a part: the loss of n0 breaks off part 1, which began after the lock was taken: line %d
a loss that a generator keeps while it is suspended: nothing wrong
a loss that comes before the one that was caught is looked at: nothing wrong
the exception of a destructor, and a suspended fiber behind it: nothing wrong
an exception, and a generator that throws behind it: nothing wrong
a fiber that is destroyed after the loss that came when it was suspended: nothing wrong
