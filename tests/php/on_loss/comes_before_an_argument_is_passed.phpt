--TEST--
A notice that comes while a call's arguments are gathered: nothing is freed that an earlier call had in the place of the next one
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
$script = <<<'PHP'
    require INC;

    final class Told extends Exception
    {
    }

    final class Kept
    {
        public static bool $inUse = false;

        public function __destruct()
        {
            if (self::$inUse) {
                echo "destroyed while it is in use\n";
            }
        }
    }

    function passed(mixed $argument): void
    {
    }

    function named(int $first = 0, mixed $argument = null): void
    {
    }

    // A notice ends each. What the call before had as its argument stays where the next argument is to be.
    $ways = [
        'result of a function' => [5, function (Kept $kept): void {
            while (true) {
                passed($kept);
                passed(time_nanosleep(0, 10000000));
            }
        }],
        'result, passed by name' => [5, function (Kept $kept): void {
            while (true) {
                named(argument: $kept);
                named(argument: time_nanosleep(0, 10000000));
            }
        }],
        'result, for a callable' => [5, function (Kept $kept): void {
            $callable = passed(...);
            while (true) {
                $callable($kept);
                $callable(time_nanosleep(0, 10000000));
            }
        }],
        // The tracing JIT never looks for interrupts in a loop that calls nothing but functions in PHP.
        'behind a jump' => [20, function (Kept $kept): void {
            $true = microtime(true) > 1;
            while (microtime(true) > 1) {
                passed($kept);
                passed($true ? 1 : 2);
                passed($kept);
                passed($true || $kept);
            }
        }],
    ];
    $notices = [
        'throw' => ['throw', RedisLockLostException::class],
        'callable' => [fn () => throw new Told(), Told::class],
    ];
    foreach ($ways as $way => [$rounds, $code]) {
        foreach ($notices as $kind => [$onLoss, $class]) {
            $lock = new RedisLock($argv[1], ['on_loss' => $onLoss]);
            $kept = new Kept();
            Kept::$inUse = true;
            for ($told = $i = 0; $i < $rounds; $i++) {
                try {
                    $lock->lock('x', expire: lease(0.03));
                    $code($kept);
                } catch (Exception $e) {
                    $told += (int) ($e instanceof $class);
                }
                unset($e);
                $lock->unlock('x');
            }
            Kept::$inUse = false;
            echo $told > 0 ? "told\n" : "$way, $kind: not told\n";
        }
    }
    PHP;
$modes = [
    'no JIT' => opcache_options('opcache.jit_buffer_size=0'),
    'tracing JIT' => opcache_options('opcache.jit_buffer_size=32M', 'opcache.jit=tracing'),
    'function JIT' => opcache_options('opcache.jit_buffer_size=32M', 'opcache.jit=function'),
];
foreach ($modes as $mode => $options) {
    $run = run_script($script, [$server->dsn()], $options);
    is_safe($mode, $run->status === 0 && !str_contains($run->out, 'in use'), [$run->status, $run->out]);
    is_so("$mode: each is told", $run->out === str_repeat("told\n", 8), $run->out);
}
?>
--EXPECT--
no JIT: yes
no JIT: each is told: yes
tracing JIT: yes
tracing JIT: each is told: yes
function JIT: yes
function JIT: each is told: yes
