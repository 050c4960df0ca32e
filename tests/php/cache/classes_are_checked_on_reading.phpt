--TEST--
remember(): an object is made only of a class that this caller allows; where it does not, the value is built anew
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
$keep = function () use ($lock) {
    $lock->forget('k');
    echo "when it is kept it is tried: ";
    $lock->remember('k', fn () => [new Gadget()], 60, allowedClasses: ['Gadget']);
};
$keep();
var_dump($lock->remember('k', fn () => 'built', 60));
$keep();
var_dump($lock->remember('k', fn () => 'built', 60, allowedClasses: ['Other']));
$keep();
var_dump($lock->remember('k', fn () => 'NOT BUILT', 60, allowedClasses: ['gadget']));
?>
--EXPECTF--
when it is kept it is tried: woken
string(5) "built"
when it is kept it is tried: woken
string(5) "built"
when it is kept it is tried: woken
woken
array(1) {
  [0]=>
  object(Gadget)#%d (0) {
  }
}
