--TEST--
A callable that __call() or __invoke() stands for, in an array with references: the call goes to the object that was given
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

class Builder
{
    public function __construct(private string $name)
    {
    }

    public function __destruct()
    {
        $GLOBALS['log'][] = "end of $this->name";
        $this->name = 'NOBODY';
    }

    /** Assigns to the variable once more, behind what the section does before. */
    public function __call(string $method, array $arguments): ?string
    {
        $GLOBALS['builder'] = new self('the third');
        $GLOBALS['log'][] = "$method() of $this->name";
        return $method === 'read' ? null : 'built';
    }

    public static function __callStatic(string $method, array $arguments): ?string
    {
        $GLOBALS['builder'] = new self('the third');
        $GLOBALS['log'][] = "$method() of the class";
        return $method === 'read' ? null : 'built';
    }
}

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$other = new RedisLock($server->dsn());
$build = [&$builder, 'build'];
$read = [&$builder, 'read'];
$replace = function () {
    $GLOBALS['builder'] = new Builder('the second');
};
$calls = [
    'synchronized' => fn () => $lock->synchronized('x', $build, 20),
    'remember' => fn () => $lock->remember('x', $build, 60, 20),
    'once' => fn () => $lock->once('x', $read, $build, 20),
];

/** Prints the result of the call, and what happened meanwhile, in its order. */
function show(string $what, callable $call, callable $first): void
{
    global $lock, $log, $builder;
    $log = [];
    $builder = $first();
    $result = outcome($call);
    $log[] = 'done';
    $builder = null;
    echo "$what: $result, ", implode(', ', $log), "\n";
    $lock->forget('x');
}

$object = fn () => new Builder('the first');
$class = fn () => Builder::class;

echo "-- \$read or the section assigns to the variable\n";
foreach ($calls as $what => $call) {
    show($what, $call, $object);
}
show('once, another $read', fn () => $lock->once('x', $replace, $build, 20), $object);
show('once, another $read, of a class', fn () => $lock->once('x', $replace, $build, 20), $class);

echo "-- a closure's __invoke()\n";
$invoke = [&$builder, '__invoke'];
$closure = function (): Closure {
    $bound = new Builder('what it has bound');
    return function () use ($bound) {
        $GLOBALS['builder'] = null;
        return 'built';
    };
};
show('synchronized', fn () => $lock->synchronized('x', $invoke, 20), $closure);
show('remember', fn () => $lock->remember('x', $invoke, 60, 20), $closure);
show('once', fn () => $lock->once('x', $replace, $invoke, 20), $closure);

echo "-- a signal handler assigns to it during the wait\n";
pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () use ($other, $replace) {
    $replace();
    $other->unlock('x');
});
foreach ($calls as $what => $call) {
    $other->lock('x');
    pcntl_alarm(1);
    show($what, $call, $object);
    $other->lock('x');
    pcntl_alarm(1);
    show("$what, of a class", $call, $class);
}
?>
--EXPECT--
-- $read or the section assigns to the variable
synchronized: 'built', build() of the first, end of the first, done, end of the third
remember: 'built', build() of the first, end of the first, done, end of the third
once: 'built', read() of the first, end of the third, read() of the first, end of the third, build() of the first, end of the first, done, end of the third
once, another $read: 'built', end of the second, end of the second, build() of the first, end of the first, done, end of the third
once, another $read, of a class: 'built', end of the second, end of the second, build() of the class, done, end of the third
-- a closure's __invoke()
synchronized: 'built', end of what it has bound, done
remember: 'built', end of what it has bound, done
once: 'built', end of the second, end of the second, end of what it has bound, done
-- a signal handler assigns to it during the wait
synchronized: 'built', end of the second, build() of the first, end of the first, done, end of the third
synchronized, of a class: 'built', end of the second, build() of the class, done, end of the third
remember: 'built', end of the second, build() of the first, end of the first, done, end of the third
remember, of a class: 'built', end of the second, build() of the class, done, end of the third
once: 'built', read() of the first, end of the third, end of the second, read() of the first, end of the third, build() of the first, end of the first, done, end of the third
once, of a class: 'built', read() of the class, end of the third, end of the second, read() of the class, end of the third, build() of the class, done, end of the third
