--TEST--
auto_release => true: the lock goes with the last reference to its object, and a copy of the variable is no other object
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
(new RedisLock($server->dsn()))->lock('never assigned');
print_r(all_keys($redis));
$lock = new RedisLock($server->dsn());
$lock->lock('x');
$lock->lock('y');
$same = $lock;
unset($lock);
echo json_encode(all_keys($redis)), "\n";
$same = null;
echo json_encode(all_keys($redis)), "\n";
function section(string $dsn, RawClient $redis): void
{
    $lock = new RedisLock($dsn);
    $lock->lock('x');
    echo json_encode(all_keys($redis)), "\n";
    throw new LogicException();
}
try {
    section($server->dsn(), $redis);
} catch (LogicException) {
}
echo json_encode(all_keys($redis)), "\n";
?>
--EXPECT--
Array
(
)
["lock:x","lock:y"]
[]
["lock:x"]
[]
