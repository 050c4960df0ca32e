--TEST--
Of the lapsed locks that nobody unlocks an object forgets the oldest, so that a worker may live on: not the last 1 024, none within a minute, none of a section that runs, and none with a notice that was not given
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('it waits for a minute by the clock');
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$options = ['auto_release' => false];

/** Takes the locks with these numbers, 1 000 at once. */
function take(RedisLock $lock, int $from, int $to, float $expire = 0.3): void
{
    for (; $from < $to; $from += 1000) {
        $lock->lockAll(array_map(fn ($i) => "n$i", range($from, min($from + 1000, $to) - 1)), timeout: 5, expire: $expire) || print("NOT HAD\n");
    }
}

/** How many of the locks with these numbers the object knows to be lost. */
function lost(RedisLock $lock, int $from, int $to): int
{
    return count(array_filter(range($from, $to - 1), fn ($i) => $lock->lost("n$i")));
}

$guard = new RedisLock($server->dsn(), ['prefix' => 'guard:'] + $options);
$last = new RedisLock($server->dsn(), ['prefix' => 'last:'] + $options);
$told = [];
$telling = new RedisLock($server->dsn(), ['prefix' => 'telling:', 'on_loss' => function ($name) use (&$told) {
    $told[$name] = true;
}] + $options);

$is_told = function (string $name) use (&$told): bool {
    return wait_until(function () use (&$told, $name) {
        return isset($told[$name]);
    });
};
$fiber = new Fiber(function () use ($telling, $is_told) {
    $telling->lock('waits', expire: 0.05);
    Fiber::suspend();
    is_so('the fiber is told now', $is_told('waits'));
});
$fiber->start();
take($telling, 0, 3000);
is_so('the last one is told of', $is_told('n2999'));
take($last, 0, 3000);
try {
    $guard->synchronized('section', function () use ($guard, $last, $telling, $fiber, $is_told, &$told) {
        take($guard, 0, 7000);
        usleep(400_000);
        echo 'within the minute: ', lost($guard, 0, 7000), "\n";

        sleep(61);
        take($guard, 7000, 14000);
        usleep(400_000);
        is_between('after it', lost($guard, 0, 7000), 0, 1024); // of those that had lapsed when it looked
        echo 'the new ones: ', lost($guard, 7000, 14000), "\n";
        var_dump($guard->lost('section'), $guard->unlock('n0'));

        take($last, 3000, 4200, 30);
        echo 'of the last 1 024: ', lost($last, 0, 1000), ' + ', lost($last, 1000, 2000), ' + ', lost($last, 2000, 3000), "\n";
        echo 'held: ', count($last->held()), "\n";

        take($telling, 3000, 6200);
        is_so('the last one is told of', $is_told('n6199'));
        is_between('the others are forgotten', lost($telling, 0, 3000), 0, 1024);
        is_so('nothing is told to another fiber', !isset($told['waits']));
        $fiber->resume();
    }, expire: 0.05);
} catch (RedisLockLostException $e) {
    echo $e->lockName, "\n";
}
?>
--EXPECT--
the last one is told of: yes
within the minute: 7000
after it: yes
the new ones: 7000
bool(true)
bool(false)
of the last 1 024: 0 + 24 + 1000
held: 1200
the last one is told of: yes
the others are forgotten: yes
nothing is told to another fiber: yes
the fiber is told now: yes
section
