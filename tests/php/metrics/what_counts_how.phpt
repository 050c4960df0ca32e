--TEST--
metrics(): what a method counts and what it does not, as docs/monitoring.md says
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';

$server = RedisServer::start();
$folder = new PrivateFolder();
echo Worker::run('
    $counted = function (): array {
        $all = [];
        foreach (RedisLock::metrics()["process"]["groups"] ?? [] as $group => $numbers) {
            foreach ($numbers as $name => $number) {
                $all["$group $name"] = is_array($number) ? array_sum($number["counts"]) : $number;
            }
        }
        return $all;
    };
    $step = function (string $what, callable $do, string $shown = "") use ($counted): void {
        $before = $counted();
        try {
            $do();
        } catch (RedisLockTimeoutException) {
        }
        $added = [];
        foreach ($counted() as $name => $number) {
            $number === ($before[$name] ?? 0) || !preg_match("/ $shown/", $name) || $added[] = "$name " . $number - ($before[$name] ?? 0);
        }
        sort($added);
        echo "$what: ", implode(", ", $added) ?: "nothing", "\n";
    };
    $lock = new RedisLock($argv[1]);
    $other = new RedisLock($argv[1]);
    $other->lock("b2");

    echo "- lockAll()\n";
    $step("some are held", fn () => $lock->lockAll(["b2", "a1"]));
    // On a busy machine the release may be late, and be sent again behind the call.
    $step("it waits in vain, and gives back what it had", fn () => $lock->lockAll(["a1", "b2"], 0.1), "acquired|timed_out");
    $other->unlock("b2");
    $step("all", fn () => $lock->lockAll(["a1", "b2"]));
    $step("unlockAll()", fn () => $lock->unlockAll());

    echo "- values\n";
    $step("built", fn () => $lock->remember("page1", fn () => 1, 60.0));
    $step("kept", fn () => $lock->remember("page1", fn () => 1, 60.0));
    $other->lock("page2");
    $step("another builds it, too long", fn () => $lock->remember("page2", fn () => 1, 60.0, 0.1));
    $step("once(), read", fn () => $lock->once("file1", fn () => 1, fn () => 2));
    $step("forget()", fn () => $lock->forget("page1"));

    echo "- losses\n";
    $lock->lock("lost1");
    $step("forceUnlock()", fn () => $other->forceUnlock("lost1"));
    $step("expire()", fn () => $lock->expire("lost1"));
    $step("unlock()", fn () => $lock->unlock("lost1"));
    $step("unlock() with a token that has no lock", fn () => $lock->unlock("never1", "rl:" . str_repeat("1", 32)));

    echo "- the rest\n";
    $lock->lock("mine1");
    $step("a lock that the object has", fn () => [$lock->lock("mine1", 0.1), $lock->lockAll(["mine1", "mine2"])]);
    $step("expire()", fn () => $lock->expire("mine1"));
    $step("questions", fn () => [$lock->isLocking("mine1"), $lock->holder("mine1"), $lock->waiters("mine1"), $lock->remaining("mine1"), $lock->ensure("mine1")]);
    $token = $lock->detach("mine1");
    $step("attach()", fn () => $lock->attach("mine1", $token));
    $step("unlock() of that", fn () => $lock->unlock("mine1"));
    $step("unlock() of nothing", fn () => $lock->unlock("mine1"));
    $step("a lease that ends, with nobody to ask", function () use ($argv) {
        $alone = new RedisLock($argv[1], ["auto_release" => false]);
        $alone->lock("ends1", 0.0, 0.01);
        usleep(20000);
    });
    $step("a queue", function () use ($argv) {
        $queue = new RedisQueue($argv[1]);
        $queue->enqueue("jobs", 7);
        $queue->pop("jobs");
    });
', [$server->dsn()], options: counts_in($folder->path));
?>
--EXPECT--
- lockAll()
some are held: a held 1
it waits in vain, and gives back what it had: a acquired 1, b timed_out 1
all: a acquired 1, a wait 1, b acquired 1, b wait 1
unlockAll(): a hold 1, a released 1, b hold 1, b released 1
- values
built: page acquired 1, page hold 1, page released 1, page wait 1
kept: page value_fresh 1
another builds it, too long: page value_none 1
once(), read: nothing
forget(): nothing
- losses
forceUnlock(): nothing
expire(): lost lost 1
unlock(): lost lost 1
unlock() with a token that has no lock: never lost 1
- the rest
a lock that the object has: nothing
expire(): nothing
questions: nothing
attach(): nothing
unlock() of that: mine released 1
unlock() of nothing: nothing
a lease that ends, with nobody to ask: ends acquired 1, ends wait 1
a queue: nothing
