--TEST--
opcache, without and with its JIT: the function is called, and the code goes on with what it had
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
$script = <<<'PHP'
    require INC;

    function sum(int $steps, ?string &$told): int
    {
        $sum = 0;
        $until = microtime(true) + LONG;
        for ($i = 0; $i < $steps || ($told === null && microtime(true) < $until); $i++) {
            $sum += $i % 7;
        }
        for ($right = $j = 0; $j < $i; $j++) {
            $right += $j % 7;
        }
        return $sum - $right;
    }

    $lock = new RedisLock($argv[1], ['expire' => lease(0.6), 'on_loss' => function (string $name) use (&$told) {
        $told = "told of $name";
    }]);
    for ($round = 0; $round < 3; $round++) {
        $told = null;
        $lock->lock('x');
        echo sum(1000, $told), " $told\n";
        $lock->unlock('x');
    }
    PHP;
$modes = [
    'no JIT' => opcache_options('opcache.jit_buffer_size=0'),
    'tracing JIT' => opcache_options('opcache.jit_buffer_size=32M', 'opcache.jit=tracing'),
    'function JIT' => opcache_options('opcache.jit_buffer_size=32M', 'opcache.jit=function'),
];
foreach ($modes as $mode => $options) {
    $run = run_script($script, [$server->dsn()], $options);
    echo "$mode: $run->status\n$run->out";
}
?>
--EXPECT--
no JIT: 0
0 told of x
0 told of x
0 told of x
tracing JIT: 0
0 told of x
0 told of x
0 told of x
function JIT: 0
0 told of x
0 told of x
0 told of x
