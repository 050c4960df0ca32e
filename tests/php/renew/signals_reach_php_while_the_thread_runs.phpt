--TEST--
The renewing thread blocks all signals: they reach PHP, and end its sleep, as without it
--EXTENSIONS--
redislock
pcntl
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/renew.inc';
skip_without_proc();
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start();
$before = glob('/proc/self/task/*');
$lock = new RedisLock($server->dsn());
$lock->lock('x', expire: lease(0.6), renew: true);
[$thread] = array_values(array_diff(glob('/proc/self/task/*'), $before));
preg_match('/^SigBlk:\s*(\w+)/m', file_get_contents("$thread/status"), $found);
$blocked = hexdec(substr($found[1], -8));
$open = array_filter(range(1, 31), fn ($signal) => !in_array($signal, [SIGKILL, SIGSTOP]) && !($blocked >> $signal - 1 & 1));
echo 'signals that it does not block: ', json_encode(array_values($open)), "\n";

pcntl_async_signals(true);
$came = 0;
foreach ([SIGUSR1, SIGALRM, SIGTERM, SIGCHLD, SIGHUP] as $signal) {
    pcntl_signal($signal, function () use (&$came) {
        $came++;
    });
    for ($i = 1; $i <= 20; $i++) {
        posix_kill(getmypid(), $signal);
    }
}
echo "handled: $came of 100\n";
pcntl_signal(SIGCHLD, SIG_DFL);
$came = 0;
pcntl_alarm(1);
took_between('an alarm ends a sleep of 10 s, seconds', seconds(fn () => sleep(10)), 0.5, 1.5);
echo "handled: $came\n";
var_dump($lock->unlock('x'));
?>
--EXPECT--
signals that it does not block: []
handled: 100 of 100
an alarm ends a sleep of 10 s, seconds: yes
handled: 1
bool(true)
