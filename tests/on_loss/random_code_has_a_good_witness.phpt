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

function run(string $what, Closure $program): void
{
    global $server;
    $witness = new Witness(new RedisLock($server->dsn(), ['on_loss' => 'throw', 'prefix' => "$what:"]));
    $witness->run($program);
    echo "$what: ", implode('; ', $witness->wrong) ?: 'nothing wrong', "\n";
}

$server = RedisServer::start();

run('a part that is left out', function (Witness $w) {
    $w->tries($w->newPart());
});

/** A part whose `finally` comes, unless PHP leaves it out. */
function part(Witness $w, Closure $code): void
{
    $part = $w->newPart();
    try {
        $w->tries($part);
        $code();
    } finally {
        $w->ran($part);
        $w->ended($part);
    }
}

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
    $w->lock();
    $base = new Place(null, 'fiber');
    $fiber = new Owner(new Fiber(function () use ($w, $base) {
        $part = $w->newPart();
        try {
            $w->tries($part);
            compute(0.05);
            $w->pause(new Place($base, 'try', $part));
        } finally {
            $w->ran($part);
            try {
                $w->section(new Place($base, 'finally', $part), $w->work(...));
            } catch (Throwable $e) {
                $w->passes($part, $e);
                throw $e;
            }
            $w->ended($part);
        }
    }));
    try {
        $w->start($fiber, $base, $at);
    } catch (RedisLockLostException $e) {
        $w->seen($e);
        unset($e);
    }
});
?>
--EXPECT--
a part that is left out: part 1 was left out
the exception of a destructor, and a suspended fiber behind it: nothing wrong
an exception, and a generator that throws behind it: nothing wrong
a fiber that is destroyed after the loss that came when it was suspended: nothing wrong
