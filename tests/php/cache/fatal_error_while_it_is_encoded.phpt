--TEST--
remember(): a fatal error in the code that serializes the value releases the lock, as one in $rebuild does
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$code = <<<'PHP'
    function may_end(string $here): void
    {
        if ($GLOBALS['argv'][2] === $here) {
            @trigger_error("fatal in $here", E_USER_ERROR);
        }
    }

    class Value
    {
        public function __serialize(): array
        {
            may_end('__serialize');
            return [1];
        }

        public function __unserialize(array $data): void
        {
            may_end('__unserialize');
        }

        public function __destruct()
        {
            may_end('__destruct');
        }
    }

    register_shutdown_function(function () use ($argv) {
        echo ", ", (new RedisLock($argv[1]))->owner('x') === null ? 'released' : 'STAYS';
    });
    $lock = new RedisLock($argv[1], ['auto_release' => false, 'renew' => true]);
    $lock->remember('x', function () {
        may_end('$rebuild');
        return new Value();
    }, 60, allowedClasses: ['Value']);
    echo 'goes on';
    PHP;
foreach (['$rebuild', '__serialize', '__unserialize', '__destruct'] as $where) {
    $out = Worker::run($code, [$server->dsn(), $where]);
    echo preg_replace('/^\s*Fatal error: (fatal in \S+) in .* on line \d+\n/', '$1', $out), "\n";
    $redis->cmd('FLUSHALL');
}
?>
--EXPECT--
fatal in $rebuild, released
fatal in __serialize, released
fatal in __unserialize, released
fatal in __destruct, released
