--TEST--
A subclass that declares lock() as it was before there was renew: PHP says what does not fit
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--FILE--
<?php
class Old extends RedisLock
{
    public function lock(string $name, ?float $timeout = null, ?float $expire = null, ?string $token = null): bool
    {
        return parent::lock($name, $timeout, $expire, $token);
    }
}
?>
--EXPECTF--
Fatal error: Declaration of Old::lock(string $name, ?float $timeout = null, ?float $expire = null, ?string $token = null): bool must be compatible with RedisLock::lock(string $name, ?float $timeout = null, ?float $expire = null, ?string $token = null, ?bool $renew = null): bool in %s on line %d
