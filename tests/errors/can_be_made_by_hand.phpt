--TEST--
Exceptions made by PHP code (in tests of an application) have what every exception has
--EXTENSIONS--
redislock
--FILE--
<?php
$e = new RedisLockServerException('sold out', 7, new LogicException('why'));
var_dump($e->getMessage(), $e->getCode(), $e->getPrevious()->getMessage());
echo get_class(new RedisLockLostException()), "\n";
?>
--EXPECT--
string(8) "sold out"
int(7)
string(3) "why"
RedisLockLostException
