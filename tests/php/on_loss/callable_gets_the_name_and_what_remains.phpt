--TEST--
on_loss with a function: it gets the name and the seconds that remain
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
$lock = new RedisLock($server->dsn(), ['prefix' => 'p:', 'expire' => lease(2.4), 'on_loss' => function (...$arguments) use (&$told) {
    $told = $arguments;
}]);
$lock->lock("a\0b");
compute_until(function () use (&$told) {
    return $told !== null;
});
is_so('two arguments', count($told) === 2, $told);
is_so('the name', $told[0] === "a\0b", $told);
is_so('what remains', is_float($told[1]) && $told[1] > 0 && $told[1] <= lease(0.4), $told);

$lock = new RedisLock($server->dsn(), ['expire' => lease(1.5), 'renew' => true, 'on_loss' => function (string $name, float $remaining) {
    var_dump($name, $remaining);
}]);
$lock->lock('x');
take_away($redis, 'x');
compute_until(fn () => $lock->lost('x'));
compute(0.1);
?>
--EXPECT--
two arguments: yes
the name: yes
what remains: yes
string(1) "x"
float(0)
