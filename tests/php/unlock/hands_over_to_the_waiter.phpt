--TEST--
unlock() with a waiter gives the lock to it, not to whoever asks first
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
$holder = new RedisLock($server->dsn());
$late = new RedisLock($server->dsn());
$holder->lock('x');
$waiter = Worker::start('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->lock("x", timeout: 10));
    fgets(STDIN);
    var_dump($lock->unlock("x"));
', [$server->dsn()]);
$redis = $server->client();
is_so('it waits', wait_until(fn () => str_contains($redis->cmd('INFO', 'clients'), 'blocked_clients:1')));

$waiter->signal('STOP'); // it cannot claim yet
$holder->unlock('x');
echo 'late comer: ';
var_dump($late->lock('x'));
$waiter->signal('CONT');
echo 'waiter: ', $waiter->readLine(), "\n";
$waiter->tell('go on');
echo 'waiter: ', $waiter->readLine(), "\n";
$waiter->wait();
echo 'late comer: ';
var_dump($late->lock('x'));
?>
--EXPECT--
it waits: yes
late comer: bool(false)
waiter: bool(true)
waiter: bool(true)
late comer: bool(true)
