--TEST--
A lock that lock() and its sisters have taken is on all replicas that were asked for
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replicated.inc';

$servers = new Replicated();
$lock = $servers->lock();

for ($i = 1; $i <= 3; $i++) { // the first by a script, later ones by a plain SET
    $lock->lock('x');
    $servers->have("lock $i", 'lock:x', $lock->token('x'));
    $lock->unlock('x');
}
$lock->synchronized('x', function () use ($servers, $lock) {
    $servers->have('synchronized', 'lock:x', $lock->token('x'));
});
$lock->lockAll(['a', 'b']);
$servers->have('lockAll, the first', 'lock:a', $lock->token('a'));
$servers->have('lockAll, the second', 'lock:b', $lock->token('b'));
$lock->unlockAll();
$lock->remember('r', function () use ($servers, $lock) {
    $servers->have('remember', 'lock:r', $lock->token('r'));
    return 1;
}, 60);
$lock->once('o', fn () => null, function () use ($servers, $lock) {
    $servers->have('once', 'lock:o', $lock->token('o'));
    return 1;
});
$fenced = $servers->lock(['fencing' => true]);
$fenced->lock('f');
$servers->have('the fence too', '{lock:f}:rl:fence', $fenced->fence('f'));
$fenced->unlock('f');

echo 'one WAIT each: ', $servers->waits(), "\n";
$lock->forget('r');
$plain = new RedisLock($servers->server->dsn());
$plain->lock('x');
$plain->expire('x', 20.0);
$plain->unlock('x');
echo 'none without the option: ', $servers->waits(), "\n";
echo 'left: ', implode(' ', $servers->keys()), "\n";
?>
--EXPECT--
lock 1: yes
lock 2: yes
lock 3: yes
synchronized: yes
lockAll, the first: yes
lockAll, the second: yes
remember: yes
once: yes
the fence too: yes
one WAIT each: 8
none without the option: 8
left: 
