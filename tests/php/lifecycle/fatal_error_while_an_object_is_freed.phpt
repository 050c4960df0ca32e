--TEST--
A destructor that runs while an object is freed may throw, exit or end in a fatal error: the locks are released all the same
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
    class Ender
    {
        public function __destruct()
        {
            echo "destructor\n";
            eval($GLOBALS['argv'][2]);
        }
    }

    #[AllowDynamicProperties]
    class Lock extends RedisLock
    {
    }

    [, $dsn, , $place, $auto_release] = $argv;
    $ender = new Ender();
    $options = ['auto_release' => json_decode($auto_release), 'renew' => true];
    if ($place === 'bound by the function') {
        $options['on_loss'] = function () use ($ender) {
        };
    }
    $lock = new Lock($dsn, $options);
    if ($place === 'a property') {
        $lock->ender = $ender;
    }
    unset($ender, $options);
    $lock->lock('x') || print("NOT HAD\n");
    try {
        $lock = null;
    } catch (LogicException $e) {
        echo 'caught ', $e->getMessage(), "\n";
    }
    PHP;
$ways = [
    'throws' => 'throw new LogicException("it");',
    'exits' => 'exit("exit\n");',
    'fatal' => '@trigger_error("fatal error", E_USER_ERROR); // deprecated from PHP 8.4 on',
];
foreach (['bound by the function', 'a property'] as $place) {
    foreach ($ways as $what => $way) {
        foreach (['true', '"request"'] as $auto_release) {
            $out = Worker::run($code, [$server->dsn(), $way, $place, $auto_release]);
            echo "$place, $what: ", preg_match('/^destructor\s+(caught it|exit|Fatal error: fatal error)/', $out, $found) ? $found[1] : $out;
            echo all_keys($redis) === [] ? ", released\n" : ", STAYS ($auto_release)\n";
            $redis->cmd('FLUSHALL');
        }
    }
}
?>
--EXPECT--
bound by the function, throws: caught it, released
bound by the function, throws: caught it, released
bound by the function, exits: exit, released
bound by the function, exits: exit, released
bound by the function, fatal: Fatal error: fatal error, released
bound by the function, fatal: Fatal error: fatal error, released
a property, throws: caught it, released
a property, throws: caught it, released
a property, exits: exit, released
a property, exits: exit, released
a property, fatal: Fatal error: fatal error, released
a property, fatal: Fatal error: fatal error, released
