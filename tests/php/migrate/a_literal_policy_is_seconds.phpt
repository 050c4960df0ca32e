--TEST--
Row A: lock($name, 1) and lock($name, true), the constant's value written out, wait one second, and are locked
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/old_request_id_lock.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['prefix' => '', 'auto_release' => false]);
$old = new OldRequestIdLock($server->client());

foreach ([1, true] as $policy) {
    is_so('free: taken', $lock->lock('SKU0001', $policy));
    is_so('the old class is kept out', !$old->lock('SKU0001'));
    $lock->unlock('SKU0001');

    is_so('the old class takes it', $old->lock('SKU0001'));
    $taken = null;
    $took = seconds(function () use ($lock, $policy, &$taken) {
        $taken = $lock->lock('SKU0001', $policy);
    });
    is_so('held: not taken', $taken === false);
    took_between('after 1 s, not 10', $took, 0.99, 1.2);
    $old->unlock('SKU0001');
}
?>
--EXPECT--
free: taken: yes
the old class is kept out: yes
the old class takes it: yes
held: not taken: yes
after 1 s, not 10: yes
free: taken: yes
the old class is kept out: yes
the old class takes it: yes
held: not taken: yes
after 1 s, not 10: yes
