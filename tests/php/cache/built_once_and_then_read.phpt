--TEST--
remember() builds what is missing, and then reads it: one round trip, until its end
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$build = function () use (&$built) {
    return 'value ' . ++$built;
};
var_dump($lock->remember('k', $build, ttl: 0.5));
$began = now();
$wire->forget();
for ($reads = 0; now() < $began + 0.3; $reads++) {
    if ($lock->remember('k', $build, ttl: 0.5) !== 'value 1') {
        echo "NOT THE VALUE\n";
    }
}
is_so('one request each', $wire->requests() === array_fill(0, $reads, 'EVALSHA'));
usleep(300000);
var_dump($lock->remember('k', $build, ttl: INF));
is_so('without end', $server->client()->cmd('PTTL', '{lock:k}:rl:value') === -1);
var_dump(all_keys($server->client()), $lock->held());
?>
--EXPECT--
string(7) "value 1"
one request each: yes
string(7) "value 2"
without end: yes
array(1) {
  [0]=>
  string(17) "{lock:k}:rl:value"
}
array(0) {
}
