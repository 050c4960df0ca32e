--TEST--
remaining() and held() follow a lease that is renewed, and never say more than Redis keeps
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
$lock = new RedisLock($server->dsn());
$lock->lock('x', expire: lease(0.6), renew: true);
$says_more = $rises = 0;
$said = [];
for ($until = hrtime(true) + lease(1.5e9); hrtime(true) < $until; usleep(1000)) {
    $before = $redis->cmd('PTTL', 'lock:x');
    $asked = hrtime(true); // before remaining(), behind which the process may be held up
    $remaining = $lock->remaining('x');
    $after = max(0, $redis->cmd('PTTL', 'lock:x')) + (hrtime(true) - $asked) / 1e6; // if it was renewed in between
    $says_more += $remaining > 0 && 1000 * $remaining > max($before, $after) + 1;
    $rises += $said && $remaining > end($said);
    $said[] = $remaining;
}
is_safe('never more than Redis keeps', $says_more === 0, $says_more);
is_between('remaining at least', min($said), 0.05, lease(0.6));
is_between('remaining at most', max($said), 0.5, lease(0.6));
is_between('rose', $rises, 3, 10);
is_between('held()', $lock->held()['x'], 0.05, lease(0.6));
var_dump($lock->isLocking('x'), $lock->unlock('x'), $lock->remaining('x'), $lock->held());
?>
--EXPECT--
never more than Redis keeps: yes
remaining at least: yes
remaining at most: yes
rose: yes
held(): yes
bool(true)
bool(true)
float(0)
array(0) {
}
