--TEST--
A callable in an array with references: what drops its object during the call, or before, drops it when the method is done
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
    private string $secret = 'built';

    public function __destruct()
    {
        $this->secret = 'after the end';
        $GLOBALS['log'][] = 'destructor';
    }

    public function read(): ?string
    {
        $GLOBALS['builder'] = null;
        return null;
    }

    public function build(): string
    {
        $GLOBALS['builder'] = null;
        $GLOBALS['log'][] = $this->secret;
        return $this->secret;
    }
}

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$other = new RedisLock($server->dsn());
$section = [&$builder, 'build'];
$read = [&$builder, 'read'];
$calls = [
    'synchronized' => fn () => $lock->synchronized('x', $section, 20),
    'remember' => fn () => $lock->remember('x', $section, 60, 20),
    'once' => fn () => $lock->once('x', fn () => null, $section, 20),
    'once, dropped in $read' => fn () => $lock->once('x', $read, $section, 20),
];

/** Prints the result of the call, and what happened meanwhile, in its order. */
function show(string $what, callable $call): void
{
    $GLOBALS['log'] = [];
    $GLOBALS['builder'] = new Builder();
    $result = outcome($call);
    echo "$what: $result, ", implode(', ', $GLOBALS['log']), "\n";
}

foreach ($calls as $what => $call) {
    show($what, $call);
    $lock->forget('x');
}

pcntl_async_signals(true);
pcntl_signal(SIGALRM, function () use ($other) {
    $GLOBALS['builder'] = null;
    $other->unlock('x');
});
foreach ($calls as $what => $call) {
    $other->lock('x');
    pcntl_alarm(1);
    show("$what, dropped during the wait", $call);
    $lock->forget('x');
}
?>
--EXPECT--
synchronized: 'built', built, destructor
remember: 'built', built, destructor
once: 'built', built, destructor
once, dropped in $read: 'built', built, destructor
synchronized, dropped during the wait: 'built', built, destructor
remember, dropped during the wait: 'built', built, destructor
once, dropped during the wait: 'built', built, destructor
once, dropped in $read, dropped during the wait: 'built', built, destructor
