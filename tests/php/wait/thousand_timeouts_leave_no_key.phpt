--TEST--
After 1 000 waits that timed out no key of ours is left
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/crowd.inc';

$server = RedisServer::start();
$redis = $server->client();
$holder = new RedisLock($server->dsn());
$holder->lock('x');
$crowd = crowd(25, <<<'PHP'
    $got = 0;
    for ($n = 0; $n < 40; $n++) {
        try {
            $got += $lock->lock('x', random_int(1, 60) / 1000) ? 1 : 0;
        } catch (RedisLockConnectionException) {
            // on a busy machine, no answer within so few milliseconds; nothing may be left then either
        }
    }
    echo "$got\n";
    PHP, $server->dsn());
is_so('all timed out', ($said = $crowd->output()) === str_repeat("0\n", 25), $said);
// Far below the time for which the keys of a waiter that was killed stay.
is_so('nobody waits', wait_until(fn () => $holder->waiters('x') === 0, 1.0 + held_up()), $holder->waiters('x'));
print_r(all_keys($redis));
var_dump($holder->unlock('x'));
print_r(all_keys($redis));
?>
--EXPECT--
all timed out: yes
nobody waits: yes
Array
(
    [0] => lock:x
)
bool(true)
Array
(
)
