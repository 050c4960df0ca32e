--TEST--
A fiber that begins where the one that took the lock has ended is refused as any other, and does not release the lock
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$other = new RedisLock($server->dsn());

/** Runs it in a fiber, and frees that before its function: so the next one comes to the same place. */
function in_a_fiber(callable $act): mixed
{
    $fiber = new Fiber($act);
    $fiber->start();
    $got = $fiber->getReturn();
    unset($fiber);
    return $got;
}

/** What a fiber gets that calls unlock() whatever lock() has returned; then what it gets that only unlocks. */
function careless(string $how, callable $take): void
{
    global $lock, $other;
    $ask = fn () => [$lock->lock('a'), $lock->unlock('a')]; // made before the place is free
    in_a_fiber($take);
    $got = in_a_fiber($ask);
    echo "$how: ", json_encode($got), $other->owner('a') !== null ? ', still held' : ', RELEASED';
    echo in_a_fiber(fn () => $lock->unlock('a')) ? ", released on purpose\n" : ", NOT RELEASED\n";
}

careless('lock()', fn () => $lock->lock('a', expire: 60));
careless('lockAll()', fn () => $lock->lockAll(['b', 'a'], expire: 60));
$other->lock('a', expire: 60);
careless('attach()', fn () => $lock->attach('a', $other->token('a')));

echo "-- a fiber that was refused takes the lock then, and ends with it\n";
$lock->lock('a', expire: 60);
$waits = new Fiber(function () use ($lock) {
    while (!$lock->lock('a', expire: 60)) {
        Fiber::suspend();
    }
});
$waits->start();
$lock->unlock('a');
$waits->resume();
$ask = fn () => $lock->lock('a') || $lock->unlock('a');
unset($waits);
var_dump(in_a_fiber($ask));

echo "-- many fibers, each with a lock of its own\n";
$released = [];
for ($i = 0; $i < 50; $i++) {
    in_a_fiber(fn () => $lock->lock("n$i", expire: 60));
    $released[] = in_a_fiber(fn () => $lock->lock("n$i") || $lock->unlock("n$i"));
}
is_so('none was released', !in_array(true, $released, true), $released);
var_dump(count($lock->held()), $lock->unlockAll());
?>
--EXPECT--
lock(): [false,false], still held, released on purpose
lockAll(): [false,false], still held, released on purpose
attach(): [false,false], still held, released on purpose
-- a fiber that was refused takes the lock then, and ends with it
bool(false)
-- many fibers, each with a lock of its own
none was released: yes
int(52)
bool(true)
