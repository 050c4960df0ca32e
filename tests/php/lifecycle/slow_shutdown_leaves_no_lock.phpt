--TEST--
A request whose end takes its time, between one lock and the next: all of them are released
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ends.inc';

$server = RedisServer::start();
$redis = $server->client();
$slow = [
    'shutdown function' => 'register_shutdown_function(function () { unset($GLOBALS["first"]); usleep(700000); });',
    'destructor' => 'class Slow { public $lock; function __destruct() { $this->lock = null; usleep(700000); } } $slow = new Slow(); $slow->lock = $first; unset($first);',
];
foreach ($slow as $what => $code) {
    foreach ([true, 'request'] as $auto_release) {
        $take = '$first = new RedisLock($argv[1]); $first->lock("first"); $lock->lock("x");';
        $end = new RequestEnd($server->dsn(), $code, ['auto_release' => $auto_release], $take);
        $end->come();
        echo "$what, ", json_encode($auto_release), ': ', json_encode(all_keys($redis)), "\n";
        $redis->cmd('FLUSHALL');
    }
}
?>
--EXPECT--
shutdown function, true: []
shutdown function, "request": []
destructor, true: []
destructor, "request": []
