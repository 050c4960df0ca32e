--TEST--
A function with parameters that do not fit is an error in the code that runs
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
$functions = [
    'too many' => function ($a, $b, $c) {
    },
    'another type' => function (array $name) {
    },
];
foreach ($functions as $label => $function) {
    echo "$label: ";
    $lock = new RedisLock($server->dsn(), ['expire' => lease(0.6), 'on_loss' => $function]);
    try {
        $lock->lock('x');
        compute(LONG);
    } catch (Error $e) {
        echo get_class($e), "\n";
    }
    $lock->unlock('x');
}
?>
--EXPECT--
too many: ArgumentCountError
another type: TypeError
