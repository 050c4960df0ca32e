--TEST--
opcache, without and with its JIT: loops of all kinds are broken off
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

    function loop(string $kind): string
    {
        $until = microtime(true) + LONG;
        switch ($kind) {
            case 'while':
                while (microtime(true) < $until);
                break;
            case 'for':
                for ($i = 0, $sum = 0; $i < PHP_INT_MAX; $i++) {
                    $sum += $i & 3;
                    if (($i & 0xfffff) === 0 && microtime(true) > $until) {
                        break;
                    }
                }
                break;
            case 'calls':
                $next = fn (int $i): int => $i + 1;
                for ($i = 0; $i < 100 || microtime(true) < $until; $i = $next($i));
                break;
            case 'foreach':
                $numbers = range(1, 1000);
                while (microtime(true) < $until) {
                    foreach ($numbers as $number) {
                        $sum = ($sum ?? 0) ^ $number;
                    }
                }
                break;
            case 'finally':
                try {
                    for ($i = 0; microtime(true) < $until; $i++);
                } finally {
                    echo '(left) ';
                }
                break;
        }
        return 'NOT BROKEN OFF';
    }

    $redis = new RawClient($argv[2]);
    foreach (['while', 'for', 'calls', 'foreach', 'finally'] as $kind) {
        $lock = new RedisLock($argv[1], ['expire' => lease(0.6), 'renew' => true, 'on_loss' => 'throw']);
        for ($round = 1; $round <= 2; $round++) {
            echo "$kind: ";
            try {
                $lock->lock('x');
                take_away($redis, 'x');
                echo loop($kind), "\n";
            } catch (RedisLockLostException $e) {
                echo get_class($e), "\n";
            }
            $lock->unlock('x');
        }
    }
    PHP;
$modes = [
    'no JIT' => opcache_options('opcache.jit_buffer_size=0'),
    'tracing JIT' => opcache_options('opcache.jit_buffer_size=32M', 'opcache.jit=tracing'),
    'function JIT' => opcache_options('opcache.jit_buffer_size=32M', 'opcache.jit=function'),
];
foreach ($modes as $mode => $options) {
    $run = run_script($script, [$server->dsn(), $server->addressOf('lock:x')], $options);
    echo "$mode: $run->status\n$run->out";
}
?>
--EXPECT--
no JIT: 0
while: RedisLockLostException
while: RedisLockLostException
for: RedisLockLostException
for: RedisLockLostException
calls: RedisLockLostException
calls: RedisLockLostException
foreach: RedisLockLostException
foreach: RedisLockLostException
finally: (left) RedisLockLostException
finally: (left) RedisLockLostException
tracing JIT: 0
while: RedisLockLostException
while: RedisLockLostException
for: RedisLockLostException
for: RedisLockLostException
calls: RedisLockLostException
calls: RedisLockLostException
foreach: RedisLockLostException
foreach: RedisLockLostException
finally: (left) RedisLockLostException
finally: (left) RedisLockLostException
function JIT: 0
while: RedisLockLostException
while: RedisLockLostException
for: RedisLockLostException
for: RedisLockLostException
calls: RedisLockLostException
calls: RedisLockLostException
foreach: RedisLockLostException
foreach: RedisLockLostException
finally: (left) RedisLockLostException
finally: (left) RedisLockLostException
