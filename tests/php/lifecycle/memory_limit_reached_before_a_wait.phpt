--TEST--
A memory_limit that is reached where a wait begins ends the script as anywhere: the wait ends, and the locks are released
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('memory_limit needs PHP\'s own allocator');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$holder->lock('busy', 0, 60);
$waits = ['$lock->lock("busy", 20);', '$lock->lockAll(["free", "busy"], 20);', '$lock->synchronized("busy", fn () => 1, 20);',
    '$lock->remember("busy", fn () => 1, 60, 20);', '(new RedisQueue($argv[1]))->pop("nothing", 1, 20);'];
foreach ($waits as $wait) {
    $output = Worker::run('
        $lock = new RedisLock($argv[1]);
        $lock->lock("kept", 0, 60);
        register_shutdown_function(fn () => print("shutdown "));
        $half = str_repeat("x", 3 << 20);
        $both = [$half . "a", $half . "b"];
        ' . $wait . '
        echo "NOT REACHED";
    ', [$server->dsn()], [], ['-d', 'memory_limit=8M']);
    echo preg_replace('/ in .*/s', '', trim($output)), ' … ', str_contains($output, 'shutdown') && !str_contains($output, 'NOT REACHED') ? 'ended' : $output;
    echo ', ', implode(' ', all_keys($redis)), "\n";
}
?>
--EXPECTF--
Fatal error: Allowed memory size of 8388608 bytes exhausted%S (tried to allocate %d bytes) … ended, lock:busy
Fatal error: Allowed memory size of 8388608 bytes exhausted%S (tried to allocate %d bytes) … ended, lock:busy
Fatal error: Allowed memory size of 8388608 bytes exhausted%S (tried to allocate %d bytes) … ended, lock:busy
Fatal error: Allowed memory size of 8388608 bytes exhausted%S (tried to allocate %d bytes) … ended, lock:busy
Fatal error: Allowed memory size of 8388608 bytes exhausted%S (tried to allocate %d bytes) … ended, lock:busy
