--TEST--
remember(): what only its class can read, and could make any object, is not read
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

class Gadget
{
    public $x;
    public function __wakeup() { echo "WOKEN\n"; }
    public function __destruct() { echo "DESTROYED\n"; }
}
enum Suit { case Hearts; }
spl_autoload_register(function ($class) { echo "LOADS $class\n"; });

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
foreach (['O:6:"Gadget":1:{s:1:"x";i:1;}', 'O:6:"NoSuch":0:{}', 'E:11:"Suit:Hearts";', 'E:8:"NoSuch:A";'] as $inner) {
    $payloads = ['ArrayObject' => "x:i:0;a:1:{i:0;$inner};m:a:0:{}", 'SplObjectStorage' => "x:i:1;$inner,N;;m:a:0:{}", 'SplDoublyLinkedList' => "i:0;:$inner"];
    foreach ($payloads as $class => $payload) {
        $redis->cmd('SET', '{lock:k}:rl:value', sprintf('999999999999999pC:%d:"%s":%d:{%s}', strlen($class), $class, strlen($payload), $payload));
        var_dump($lock->remember('k', fn () => 'built', 60, allowedClasses: [$class]));
    }
}
?>
--EXPECT--
string(5) "built"
string(5) "built"
string(5) "built"
string(5) "built"
string(5) "built"
string(5) "built"
string(5) "built"
string(5) "built"
string(5) "built"
string(5) "built"
string(5) "built"
string(5) "built"
