--TEST--
Fibers that share an object are one owner; but one that asked for the lock in vain does not release it by unlock()
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$other = new RedisLock($server->dsn());

/** Does it while another fiber, which took "a" through the same object, waits. Then the other one unlocks. */
function meanwhile(string $label, callable $act, bool $inMain = false): void
{
    global $server;
    $lock = new RedisLock($server->dsn());
    $holder = new Fiber(function () use ($lock) {
        $lock->lock('a', expire: 60);
        Fiber::suspend();
        return $lock->unlock('a');
    });
    $holder->start();
    $inMain ? $act($lock) : (new Fiber($act))->start($lock);
    $holder->resume();
    echo "$label: the holder ", $holder->getReturn() ? 'still had it' : 'has lost it', "\n";
}

/** Calls unlock() whatever the call before it came to. */
function careless(callable $ask): callable
{
    return function (RedisLock $lock) use ($ask) {
        try {
            $ask($lock);
        } catch (RedisLockHeldException | RedisLockTimeoutException) {
        } finally {
            if ($lock->unlock('a')) {
                echo "RELEASED\n";
            }
        }
    };
}

echo "-- refused, and then unlocks\n";
meanwhile('lock()', careless(fn ($lock) => $lock->lock('a', 1.0)));
meanwhile('synchronized()', careless(fn ($lock) => $lock->synchronized('a', fn () => null)));
meanwhile('lockAll()', careless(fn ($lock) => $lock->lockAll(['b', 'a'])));
meanwhile('remember()', careless(fn ($lock) => $lock->remember('a', fn () => 1, ttl: 1)));
meanwhile('once()', careless(fn ($lock) => $lock->once('a', fn () => null, fn () => 1)));
meanwhile('the main program', careless(fn ($lock) => $lock->lock('a')), inMain: true);

$lock = new RedisLock($server->dsn());
$lock->lockAll(['a', 'b'], expire: 60);
(new Fiber(fn () => var_dump($lock->lockAll(['c', 'b', 'a']), $lock->unlock('a'), $lock->unlock('b'))))->start();
var_dump($lock->unlockAll());

echo "-- a release on purpose\n";
meanwhile('nothing was refused', fn ($lock) => $lock->unlock('a'));
meanwhile('in the main program', fn ($lock) => $lock->unlock('a'), inMain: true);
meanwhile('by its token', function ($lock) {
    $lock->lock('a');
    $lock->unlock('a', $lock->token('a'));
});
meanwhile('of all', function ($lock) {
    $lock->lock('a');
    $lock->unlockAll();
});
meanwhile('adopted', function ($lock) {
    $lock->lock('a');
    $lock->attach('a', $lock->token('a')) and $lock->unlock('a') or print "NOT RELEASED\n";
});

echo "-- many fibers, refused again and again, until it is their turn\n";
$lock = new RedisLock($server->dsn());
$seen = (object) ['taken' => 0, 'refused' => 0];
$fibers = array_map(fn () => new Fiber(function () use ($lock, $seen) {
    while (!$lock->lock('a', expire: 60)) {
        $seen->refused++;
        Fiber::suspend();
    }
    $seen->taken++;
    Fiber::suspend();
    $lock->unlock('a') or print "NOT RELEASED\n";
}), range(1, 20));
array_walk($fibers, fn ($fiber) => $fiber->start());
while ($fibers = array_filter($fibers, fn ($fiber) => !$fiber->isTerminated())) {
    array_walk($fibers, fn ($fiber) => $fiber->isTerminated() || $fiber->resume());
}
echo "taken $seen->taken times, ", $seen->refused > 20 ? 'refused more often' : "refused $seen->refused times", "\n";
is_so('it is free', $other->owner('a') === null);

echo "-- in one fiber, the object still says no to itself, and releases what it has\n";
$lock->lock('a');
var_dump($lock->lock('a'), $lock->unlock('a'));

echo "-- a fiber at the place of one that was refused and has ended\n";
$lock->lock('a', expire: 60);
$released = false;
for ($i = 0; $i < 50 && !$released; $i++) {
    $fiber = new Fiber(fn () => $lock->lock('a'));
    $fiber->start();
    unset($fiber);
    gc_collect_cycles();
    (new Fiber(function () use ($lock, &$released) { $released = $lock->unlock('a'); }))->start();
}
echo $released && $i === 1 ? "it releases\n" : "IT IS REFUSED, $i\n";
?>
--EXPECT--
-- refused, and then unlocks
lock(): the holder still had it
synchronized(): the holder still had it
lockAll(): the holder still had it
remember(): the holder still had it
once(): the holder still had it
the main program: the holder still had it
bool(false)
bool(false)
bool(false)
bool(true)
-- a release on purpose
nothing was refused: the holder has lost it
in the main program: the holder has lost it
by its token: the holder has lost it
of all: the holder has lost it
adopted: the holder has lost it
-- many fibers, refused again and again, until it is their turn
taken 20 times, refused more often
it is free: yes
-- in one fiber, the object still says no to itself, and releases what it has
bool(false)
bool(true)
-- a fiber at the place of one that was refused and has ended
it releases
