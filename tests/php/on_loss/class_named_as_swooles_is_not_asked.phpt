--TEST--
A class named Swoole\Coroutine that is written in PHP is not Swoole's: nothing of it is called, and on_loss stays what it is
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
$classes = [
    'a method of objects' => 'public $x = 1; function getCid() { return $this->x; }',
    'a static method' => 'static function getCid() { echo "called\n"; return 1; }',
    'one that throws' => 'static function getCid() { throw new LogicException("called"); }',
    'one that ends the script' => 'static function getCid() { exit("called\n"); }',
    'one that wants an argument' => 'static function getCid(int $id) { return $id; }',
    'none' => '',
];
foreach ($classes as $what => $body) {
    $code = 'require INC;
        eval("namespace $argv[2]; class Coroutine { $argv[3] }");
        $lock = new RedisLock($argv[1], ["expire" => lease(0.2), "on_loss" => "throw"]);
        thrown(function () use ($lock) {
            $lock->lock("x");
            compute(LONG);
        });
        var_dump($lock->unlock("x"));';
    foreach (['Swoole', 'OpenSwoole'] as $namespace) {
        $run = run_script($code, [$server->dsn(), $namespace, $body]);
        echo "$what: ", preg_match('/^RedisLockLostException: .*\nbool\((true|false)\)\n$/', $run->out) ? 'told' : "status $run->status, $run->out", "\n";
    }
}
?>
--EXPECT--
a method of objects: told
a method of objects: told
a static method: told
a static method: told
one that throws: told
one that throws: told
one that ends the script: told
one that ends the script: told
one that wants an argument: told
one that wants an argument: told
none: told
none: told
