--TEST--
remember(): exit in code that runs while a value is not kept ends the script, and code of an exception is not run for its message
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
    class Refusal extends Exception
    {
        public function __construct(public mixed $held = null)
        {
            parent::__construct('refused');
            if ($GLOBALS['argv'][3] === '__get') {
                unset($this->message);
            }
        }

        public function __isset(string $name): bool
        {
            return true;
        }

        public function __get(string $name): mixed
        {
            echo "__get, ";
            return eval($GLOBALS['argv'][4]);
        }

        public function __destruct()
        {
            echo 'destructor, ';
            $GLOBALS['argv'][3] === '__destruct' && eval($GLOBALS['argv'][4]);
        }
    }

    class Value
    {
        public function __serialize(): array
        {
            return $GLOBALS['argv'][2] === 'serialize' ? throw new Refusal() : [];
        }

        public function __unserialize(array $data): void
        {
            throw new Refusal();
        }
    }

    set_error_handler(function (int $level, string $message) {
        return print(preg_replace('/^.*kept: | \(lock.*$/', '', $message) . ', ');
    });
    $lock = new RedisLock($argv[1], ['auto_release' => false]);
    try {
        $lock->remember('x', fn () => new Value(), 60, allowedClasses: ['Value']);
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), ', ';
    }
    echo 'goes on, ';
    PHP;
foreach (['serialize', 'unserialize'] as $when) {
    foreach (['__get', '__destruct'] as $where) {
        foreach (['throws' => 'throw new LogicException("another");', 'exits' => 'exit("exit, ");'] as $what => $way) {
            echo "$when, $where $what: ", Worker::run($code, [$server->dsn(), $when, $where, $way]);
            echo all_keys($redis) === [] ? "released\n" : "STAYS\n";
            $redis->cmd('FLUSHALL');
        }
    }
}
?>
--EXPECT--
serialize, __get throws: destructor, PHP cannot serialize it, goes on, released
serialize, __get exits: destructor, PHP cannot serialize it, goes on, released
serialize, __destruct throws: destructor, PHP cannot serialize it: refused: another, goes on, released
serialize, __destruct exits: destructor, exit, released
unserialize, __get throws: destructor, PHP cannot unserialize it, goes on, released
unserialize, __get exits: destructor, PHP cannot unserialize it, goes on, released
unserialize, __destruct throws: destructor, PHP cannot unserialize it: refused: another, goes on, released
unserialize, __destruct exits: destructor, exit, released
