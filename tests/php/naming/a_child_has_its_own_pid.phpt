--TEST--
A child of a fork names its own connections by its own pid, and its parent keeps its name
--EXTENSIONS--
redislock
pcntl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/naming.inc';

require __DIR__ . '/../lifecycle/fork.inc';

$server = RedisServer::start();
$redis = $server->client();
$parent = own_name();
$lock = new RedisLock($server->dsn());
$lock->owner('x');
is_so('parent', names($redis) === [$parent]);
in_a_fork(function () use ($server, $lock, $parent) {
    $lock->owner('x');
    $names = names($server->client());
    is_so('child', own_name() !== $parent && in_array(own_name(), $names, true) && in_array($parent, $names, true));
    flush();
});
$lock->owner('x');
is_so('parent', in_array($parent, names($redis), true));
?>
--EXPECT--
parent: yes
child: yes
parent: yes
