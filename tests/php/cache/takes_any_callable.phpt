--TEST--
remember() and once() take any callable, and may call it more than once
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

class Shop
{
    private array $kept = [];
    public function __call($name, $arguments) { echo "$name\n"; return $name === 'read' ? null : "by $name()"; }
    public static function __callStatic($name, $arguments) { return "by static $name()"; }
    public function __invoke() { return 'by invocation'; }
    public function &reference() { $this->kept[] = 'by reference'; return $this->kept[0]; }
}
function by_name() { return 'by name'; }

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$shop = new Shop();
foreach (['by_name', [$shop, 'magic'], 'Shop::magic', $shop, [$shop, 'reference'], $shop->first_class(...), fn () => 'by arrow'] as $i => $callable) {
    var_dump($lock->remember("k$i", $callable, 60), $lock->remember("k$i", $callable, 60));
}
var_dump($lock->once('o', [$shop, 'read'], [$shop, 'build']));
?>
--EXPECT--
string(7) "by name"
string(7) "by name"
magic
string(10) "by magic()"
string(10) "by magic()"
string(17) "by static magic()"
string(17) "by static magic()"
string(13) "by invocation"
string(13) "by invocation"
string(12) "by reference"
string(12) "by reference"
first_class
string(16) "by first_class()"
string(16) "by first_class()"
string(8) "by arrow"
string(8) "by arrow"
read
read
build
string(10) "by build()"
