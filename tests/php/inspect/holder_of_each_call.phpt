--TEST--
Every call that takes a lock tells its owner, and so does every waiter's id; attach() takes the whole token
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['owner' => 'the shop']);
$asker = new RedisLock($server->dsn());
$owner = fn (string $name) => $asker->holder($name)['owner'];

$lock->lockAll(['a', 'b']);
var_dump($owner('a'), $owner('b'));
$lock->unlockAll();
$lock->synchronized('x', fn () => var_dump($owner('x')));
$lock->remember('value', fn () => var_dump($owner('value')), 10);
$lock->once('file', fn () => null, fn () => var_dump($owner('file')));

$lock->lock('x', expire: 60);
$token = $lock->detach('x');
var_dump(preg_match('/^rl:[0-9a-f]{32}:-[0-9a-f]{11}:the shop$/', $token));
var_dump($asker->attach('x', substr($token, 0, 35)), $asker->attach('x', $token), $asker->owner('x') === $token);

$waits = ['lock("x", timeout: 20)', 'remember("x", fn () => "v", 10, timeout: 20)'];
foreach ($waits as $i => $wait) {
    $workers[] = Worker::start('
        $lock = new RedisLock($argv[1], ["owner" => "waiter", "renew" => true]);
        var_dump($lock->' . $wait . ');
        $lock->unlockAll();
    ', [$server->dsn()]);
    is_so('waits', wait_until(fn () => $asker->waiters('x') === $i + 1), $asker->waiters('x'));
}
foreach ($redis->cmd('ZRANGE', '{lock:x}:rl:wait', 0, -1) as $id) {
    var_dump(preg_match('/^[0-9a-f]{24}:r[0-9a-f]{11}:waiter$|^v[0-9a-f]{23}:r[0-9a-f]{11}:waiter$/', $id));
}
var_dump($asker->unlock('x'));
foreach ($workers as $worker) {
    echo $worker->output();
}
?>
--EXPECT--
string(8) "the shop"
string(8) "the shop"
string(8) "the shop"
string(8) "the shop"
string(8) "the shop"
int(1)
bool(false)
bool(true)
bool(true)
waits: yes
waits: yes
int(1)
int(1)
bool(true)
bool(true)
string(1) "v"
