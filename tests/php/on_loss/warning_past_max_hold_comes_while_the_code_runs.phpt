--TEST--
max_hold with on_loss flag: the warning comes in the code that runs, and nothing is thrown
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
$warnings = [];
set_error_handler(function (int $type, string $text) use (&$warnings) {
    $warnings[] = [$type, $text];
    return true;
});
$lock = new RedisLock($server->dsn(), ['expire' => lease(1.5), 'renew' => true, 'max_hold' => lease(0.6)]);
$lock->lock('x');
is_so('warned', compute_until(function () use (&$warnings) {
    return $warnings;
}));
is_so('the lock is still held', $lock->remaining('x') > 0);
thrown(fn () => compute_until(fn () => $lock->lost('x')) . compute(0.2));
$lock->unlock('x');
var_dump(count($warnings), $warnings[0][0] === E_WARNING);
echo $warnings[0][1], "\n";
?>
--EXPECTF--
warned: yes
the lock is still held: yes
nothing thrown, returned '1computed to the end'
int(1)
bool(true)
RedisLock: unix://%s: the lock has been held for longer than max_hold (%s); its lease is no longer renewed (lock "x")
