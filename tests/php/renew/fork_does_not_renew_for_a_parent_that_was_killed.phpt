--TEST--
A fork that outlives its parent does not renew the parent's lock
--EXTENSIONS--
redislock
pcntl
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$redis = $server->client();
$worker = Worker::start('
    $lock = new RedisLock($argv[1], ["expire" => (float) $argv[2], "renew" => true]);
    $lock->lock("x");
    if (pcntl_fork() === 0) {
        $lock->lock("of the child", expire: $argv[2] * 1.2);
        for ($parent = posix_getppid(); posix_getppid() === $parent; usleep(1000));
        usleep((int) ($argv[2] * 2.4e6));
        echo "child: ", json_encode([array_keys($lock->held()), $lock->unlock("of the child")]), "\n";
        exit;
    }
    sleep(60);
', [$server->dsn(), lease(0.5)]);
is_so('both hold', wait_until(fn () => count(all_keys($redis)) === 2));
is_so('and renew', stays($redis, 'lock:x', lease(0.7)) && stays($redis, 'lock:of the child', lease(0.7)));
$worker->signal('KILL');
took_between("seconds until the parent's lock is gone", seconds_until_gone($redis, 'lock:x'), 0, lease(0.6));
is_so("the child's stays", stays($redis, 'lock:of the child', lease(0.3)));
echo $worker->readLine(), "\n";
?>
--EXPECT--
both hold: yes
and renew: yes
seconds until the parent's lock is gone: yes
the child's stays: yes
child: [["of the child"],true]
