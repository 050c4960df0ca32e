--TEST--
SIGKILL: nobody renews the lease any more, and who waits has the lock when it ends
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = Worker::start('$lock = new RedisLock($argv[1]); var_dump($lock->lock("x", expire: (float) $argv[2], renew: true)); sleep(60);', [$server->dsn(), lease(0.5)]);
echo 'holder: ', $holder->readLine(), "\n";
$waiter = Worker::start('$lock = new RedisLock($argv[1]); echo $lock->lock("x", 30) ? hrtime(true) : "NOT HAD", "\n";', [$server->dsn()]);
$lock = new RedisLock($server->dsn());
is_so('somebody waits', wait_until(fn () => $lock->waiters('x') === 1));
is_so('and the lease goes on', stays($redis, 'lock:x', lease(0.7)));
$killed = hrtime(true);
$holder->signal('KILL');
took_between('seconds', ((int) $waiter->readLine() - $killed) / 1e9, 0, lease(0.5) + 0.25);
?>
--EXPECT--
holder: bool(true)
somebody waits: yes
and the lease goes on: yes
seconds: yes
