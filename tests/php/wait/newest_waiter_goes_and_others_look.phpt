--TEST--
Of twenty waiters the newest goes, at its deadline or killed; that a foreign client then deletes the lock is noticed all the same
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start();
$redis = $server->client();
$waiters = Remote::startMany(20, $server->dsn());
$newest = Remote::startMany(2, $server->dsn());
foreach (['at its deadline', 'killed'] as $i => $how) {
    foreign_lock($redis, 'lock:x', 'theirs');
    line_up($redis, $waiters, 'x', 30.0, 0.0);
    usleep(400000); // they have looked, and know of each other
    $newest[$i]->begin('lock', 'x', $how === 'killed' ? 30.0 : 0.5);
    await_blocked($redis, 21);
    usleep(450000);
    if ($how === 'killed') {
        $newest[$i]->signal('KILL');
    }
    await_blocked($redis, 20);
    usleep(300000);
    $deleted = now();
    $redis->cmd('DEL', 'lock:x');
    $from = array_map(fn ($waiter) => $waiter->answer()['result']['from'], $waiters);
    took_between("$how: seconds until somebody had it", min($from) - $deleted, 0.0, 1.0);
}
?>
--EXPECT--
at its deadline: seconds until somebody had it: yes
killed: seconds until somebody had it: yes
