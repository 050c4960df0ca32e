--TEST--
The server vanishes while replicas are waited for: the lock is released when it is back
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replicated.inc';

$servers = new Replicated(1);
$redis = $servers->server->client();
$lock = $servers->lock(['read_timeout' => 0.5, 'connect_timeout' => 0.5]);
$servers->pauseOne();
$stopper = Worker::start('
    require $argv[1];
    $redis = new RawClient("unix://$argv[2]");
    echo "ready\n";
    while (blocked($redis) !== 1) {
        usleep(1000);
    }
    posix_kill((int) $argv[3], SIGSTOP);
    echo "stopped\n";
', [__DIR__ . '/../inc/client.inc', $servers->server->socket(), (string) $servers->server->pid()]);
$stopper->readLine();
thrown(fn () => $lock->lock('x', expire: 60.0));
echo $stopper->readLine(), "\n";
$servers->server->resume();
$servers->replicas[0]->resume();
$other = new RedisLock($servers->server->dsn());
is_so('the next request of this process', $other->lock('y'));
is_so('brings the release along', wait_until(fn () => $servers->keys() === ['lock:y'], 5.0), $servers->keys());
?>
--EXPECTF--
RedisLockConnectionException: unix://%s: no answer to WAIT in time (lock "x")
stopped
the next request of this process: yes
brings the release along: yes
