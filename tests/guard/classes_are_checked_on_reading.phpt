--TEST--
remember(): an object is made only of a class that this caller allows
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

class Gadget { public function __wakeup() { echo "woken\n"; } }

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
echo "when it is kept it is tried: ";
$lock->remember('k', fn () => [new Gadget()], 60, allowedClasses: ['Gadget']);
thrown(fn () => $lock->remember('k', fn () => 'built', 60));
thrown(fn () => $lock->remember('k', fn () => 'built', 60, allowedClasses: ['Other']));
var_dump($lock->remember('k', fn () => 'built', 60, allowedClasses: ['gadget']));
?>
--EXPECTF--
when it is kept it is tried: woken
ValueError: The value that is kept has an object of class Gadget, which $allowedClasses does not name
ValueError: The value that is kept has an object of class Gadget, which $allowedClasses does not name
woken
array(1) {
  [0]=>
  object(Gadget)#%d (0) {
  }
}
