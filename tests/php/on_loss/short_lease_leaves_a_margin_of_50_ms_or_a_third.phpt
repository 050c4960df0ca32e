--TEST--
The margin of a notice is 50 ms at least, but never more than a third of the lease
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
foreach (['0.2' => 0.05, '0.12' => 0.04, '0.06' => 0.02] as $expire => $margin) {
    $left = null;
    $lock = new RedisLock($server->dsn(), ['expire' => (float) $expire, 'on_loss' => function ($name, $remaining) use (&$left) {
        $left = $remaining;
    }]);
    $lock->lock('x');
    compute_until(function () use (&$left) {
        return $left !== null;
    });
    is_so("$expire s: no sooner", $left !== null && $left <= $margin, $left);
}
?>
--EXPECT--
0.2 s: no sooner: yes
0.12 s: no sooner: yes
0.06 s: no sooner: yes
