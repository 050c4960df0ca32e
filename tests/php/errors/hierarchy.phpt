--TEST--
The exceptions: all are a RedisLockException, which is a RuntimeException
--EXTENSIONS--
redislock
--FILE--
<?php
foreach (['', 'Connection', 'Server', 'Timeout', 'Held', 'Lost'] as $kind) {
    $class = new ReflectionClass("RedisLock{$kind}Exception");
    echo $class->getName(), ' < ', $class->getParentClass()->getName(), "\n";
}
$properties = array_filter((new ReflectionClass('RedisLockLostException'))->getProperties(), fn ($property) => $property->isReadOnly());
$types = array_map(fn ($property) => $property->getName() . ': ' . $property->getType(), $properties);
sort($types);
echo implode("\n", $types), "\n";
?>
--EXPECT--
RedisLockException < RuntimeException
RedisLockConnectionException < RedisLockException
RedisLockServerException < RedisLockException
RedisLockTimeoutException < RedisLockException
RedisLockHeldException < RedisLockException
RedisLockLostException < RedisLockException
lockName: string
redisError: string
result: mixed
server: string
