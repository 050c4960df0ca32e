--TEST--
== of two objects is false: they hold different locks
--EXTENSIONS--
redislock
--FILE--
<?php
class Mine extends RedisLock {}

foreach (['RedisLock', 'RedisQueue', 'Mine'] as $class) {
    $a = new $class('redis://127.0.0.1:1');
    $b = new $class('redis://127.0.0.1:1');
    var_dump($a == $b, $a != $b, $a == $a, in_array($b, [$a]), array_search($a, [$b, $a]), $a == true, $a == null, [$a] == [$b]);
    echo "\n";
}
?>
--EXPECT--
bool(false)
bool(true)
bool(true)
bool(false)
int(1)
bool(true)
bool(false)
bool(false)

bool(false)
bool(true)
bool(true)
bool(false)
int(1)
bool(true)
bool(false)
bool(false)

bool(false)
bool(true)
bool(true)
bool(false)
int(1)
bool(true)
bool(false)
bool(false)
