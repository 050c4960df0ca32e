--TEST--
remember(): a string of exactly 1 000 000 bytes is kept, and so is anything else whose serialized form has as many
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

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$text = str_repeat('x', 1000000);
$array = [str_repeat('x', 1000000 - strlen(serialize([str_repeat('x', 999900)])) + 999900)];
var_dump(strlen(serialize($array)));
foreach ([$text, $array] as $i => $value) {
    is_so('returned', $lock->remember("k$i", fn () => $value, 60) === $value);
    is_so('kept', $lock->remember("k$i", fn () => 'BUILT AGAIN', 60) === $value);
}
?>
--EXPECT--
int(1000000)
returned: yes
kept: yes
returned: yes
kept: yes
