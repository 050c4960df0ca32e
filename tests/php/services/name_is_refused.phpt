--TEST--
A proxy that takes no CLIENT, as twemproxy and Codis: the first request of a process is no error, whichever it is
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/use.inc';

$first = [
    'owner' => 'return (new RedisLock($dsn))->owner("x") === null;',
    'lock' => 'return (new RedisLock($dsn))->lock("x");',
    'lock, by a token of one\'s own' => 'return (new RedisLock($dsn))->lock("x", token: "mine");',
    'a wait' => 'return (new RedisLock($dsn))->lock("held", 0.3) === false;',
    'lockAll' => 'return (new RedisLock($dsn))->lockAll(["x", "y", "z"]);',
    'lockAll, a wait' => 'return (new RedisLock($dsn))->lockAll(["x", "held", "z"], 0.3) === false;',
    'a lock that is renewed' => 'return (new RedisLock($dsn))->lock("x", renew: true);',
    'synchronized' => 'return (new RedisLock($dsn))->synchronized("x", fn () => true);',
    'remember' => 'return (new RedisLock($dsn))->remember("x", fn () => "value", 60) === "value";',
    'attach' => '$lock = new RedisLock($dsn); $lock->attach("held", $token); return $lock->expire("held", 60) && $lock->unlock("held");',
    'forceUnlock' => 'return (new RedisLock($dsn))->forceUnlock("x") === false;',
    'several servers' => 'return (new RedisLock([$dsn, $dsns[0], $dsns[1]]))->lock("x", token: "mine");',
    'enqueue' => 'return (new RedisQueue($dsn))->enqueue("q", "task");',
    'reserve' => 'return (new RedisQueue($dsn))->reserve("tasks")["id"] === "task";',
    'pop' => 'return (new RedisQueue($dsn))->pop("tasks")["id"] === "task";',
    'pop, a wait' => 'return (new RedisQueue($dsn))->pop("none", timeout: 0.3) === false;',
];
foreach (['an error' => "ERR unknown command 'client'", 'the connection is closed' => ''] as $how => $error) {
    echo "$how\n";
    foreach ($first as $what => $code) {
        $servers = $wires = [];
        for ($i = 0; $i < ($what === 'several servers' ? 3 : 1); $i++) {
            $servers[] = RedisServer::start();
            $wires[] = new Wire($servers[$i]);
            $wires[$i]->refuse('CLIENT', $error);
        }
        $holder = new RedisLock($servers[0]->dsn());
        $holder->lock('held');
        (new RedisQueue($servers[0]->dsn()))->enqueue('tasks', 'task');
        $dsns = array_map(fn ($wire) => $wire->dsn(), $wires);
        echo "$what: ", Worker::run(
            '[, $token, $dsn] = $argv;
            $dsns = array_slice($argv, 3);
            try {
                echo (function () use ($dsn, $dsns, $token) { ' . $code . ' })() ? "yes" : "NO";
            } catch (Throwable $e) {
                echo get_class($e), ": ", $e->getMessage();
            }',
            [$holder->token('held'), ...$dsns],
        );
        $names = array_merge(...array_map(fn ($wire) => $wire->names(), $wires));
        echo count($names) <= count($wires) ? '' : ', and ' . count($names) . ' names', "\n";
        unset($holder);
    }
    use_locks(new RedisLock($dsns[0]), ['a']);
    use_queue($dsns[0], []);
}
?>
--EXPECT--
an error
owner: yes
lock: yes
lock, by a token of one's own: yes
a wait: yes
lockAll: yes
lockAll, a wait: yes
a lock that is renewed: yes
synchronized: yes
remember: yes
attach: yes
forceUnlock: yes
several servers: yes
enqueue: yes
reserve: yes
pop: yes
pop, a wait: yes
locks: yes
makes the lease longer: yes
says who holds it, and who waits: yes
unlocks: yes
runs a section: yes
forces: yes
renews one: yes
enqueues and takes a task: yes
waits for a task: yes
the connection is closed
owner: yes
lock: yes
lock, by a token of one's own: yes
a wait: yes
lockAll: yes
lockAll, a wait: yes
a lock that is renewed: yes
synchronized: yes
remember: yes
attach: yes
forceUnlock: yes
several servers: yes
enqueue: yes
reserve: yes
pop: yes
pop, a wait: yes
locks: yes
makes the lease longer: yes
says who holds it, and who waits: yes
unlocks: yes
runs a section: yes
forces: yes
renews one: yes
enqueues and takes a task: yes
waits for a task: yes
