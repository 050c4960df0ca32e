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
    is_safe("lock $i", $servers->have('lock:x', $lock->token('x')), $servers->values('lock:x'));
    $lock->unlock('x');
}
$lock->synchronized('x', function () use ($servers, $lock) {
    is_safe('synchronized', $servers->have('lock:x', $lock->token('x')));
});
$lock->lockAll(['a', 'b']);
is_safe('lockAll', $servers->have('lock:a', $lock->token('a')) && $servers->have('lock:b', $lock->token('b')));
$lock->unlockAll();
$lock->remember('r', function () use ($servers, $lock) {
    is_safe('remember', $servers->have('lock:r', $lock->token('r')));
    return 1;
}, 60);
$lock->once('o', fn () => null, function () use ($servers, $lock) {
    is_safe('once', $servers->have('lock:o', $lock->token('o')));
    return 1;
});
$fenced = $servers->lock(['fencing' => true]);
$fenced->lock('f');
is_safe('the fence too', $servers->have('{lock:f}:rl:fence', $fenced->fence('f')));
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
lockAll: yes
remember: yes
once: yes
the fence too: yes
one WAIT each: 8
none without the option: 8
left: 
