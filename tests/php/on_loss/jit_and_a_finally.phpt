--TEST--
opcache, without and with its JIT: a finally and a destructor are not broken off
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

    final class Cleaner
    {
        public function __construct(private RedisLock $lock)
        {
        }

        public function __destruct()
        {
            $sum = 0;
            for ($until = microtime(true) + LONG; !$this->lock->lost('x') && microtime(true) < $until;);
            for ($until = microtime(true) + 0.2; microtime(true) < $until;) {
                $sum += 1.5;
            }
            echo '(the destructor is over) ';
        }
    }

    function section(RedisLock $lock, RawClient $redis): string
    {
        $lock->lock('x');
        try {
            $sum = 0;
            for ($i = 0; $i < 1000; $i++) {
                $sum += $i;
            }
        } finally {
            take_away($redis, 'x');
            for ($until = microtime(true) + LONG; !$lock->lost('x') && microtime(true) < $until;);
            for ($until = microtime(true) + 0.2; microtime(true) < $until;) {
                $sum += 2;
            }
            echo '(the finally is over) ';
        }
        return compute(LONG);
    }

    function destructor(RedisLock $lock, RawClient $redis): string
    {
        $lock->lock('x');
        $cleaner = new Cleaner($lock);
        take_away($redis, 'x');
        $cleaner = null;
        return compute(LONG);
    }

    $redis = new RawClient($argv[2]);
    $lock = new RedisLock($argv[1], ['expire' => lease(0.6), 'renew' => true, 'on_loss' => 'throw']);
    foreach (['section', 'section', 'destructor', 'destructor'] as $function) {
        try {
            echo $function($lock, $redis), "\n";
        } catch (RedisLockLostException $e) {
            echo get_class($e), "\n";
        }
        $lock->unlock('x');
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
(the finally is over) RedisLockLostException
(the finally is over) RedisLockLostException
(the destructor is over) RedisLockLostException
(the destructor is over) RedisLockLostException
tracing JIT: 0
(the finally is over) RedisLockLostException
(the finally is over) RedisLockLostException
(the destructor is over) RedisLockLostException
(the destructor is over) RedisLockLostException
function JIT: 0
(the finally is over) RedisLockLostException
(the finally is over) RedisLockLostException
(the destructor is over) RedisLockLostException
(the destructor is over) RedisLockLostException
