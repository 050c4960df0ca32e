--TEST--
The argument renew is a bool or null: with strict types anything else is a TypeError, without them what is no scalar
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

$lock = new RedisLock('redis://127.0.0.1:1');
$calls = fn (string $value) => "
    thrown(fn () => \$lock->lock('x', renew: $value));
    thrown(fn () => \$lock->lockAll(['x'], renew: $value));
    thrown(fn () => \$lock->synchronized('x', fn () => null, renew: $value));
    thrown(fn () => \$lock->attach('x', 'token', renew: $value));
";
eval($calls('[]'));
thrown(fn () => $lock->lock('x', renew: new stdClass()));
eval('declare(strict_types=1);' . $calls('1') . $calls("'yes'"));
?>
--EXPECT--
TypeError: RedisLock::lock(): Argument #5 ($renew) must be of type ?bool, array given
TypeError: RedisLock::lockAll(): Argument #4 ($renew) must be of type ?bool, array given
TypeError: RedisLock::synchronized(): Argument #5 ($renew) must be of type ?bool, array given
TypeError: RedisLock::attach(): Argument #3 ($renew) must be of type ?bool, array given
TypeError: RedisLock::lock(): Argument #5 ($renew) must be of type ?bool, stdClass given
TypeError: RedisLock::lock(): Argument #5 ($renew) must be of type ?bool, int given
TypeError: RedisLock::lockAll(): Argument #4 ($renew) must be of type ?bool, int given
TypeError: RedisLock::synchronized(): Argument #5 ($renew) must be of type ?bool, int given
TypeError: RedisLock::attach(): Argument #3 ($renew) must be of type ?bool, int given
TypeError: RedisLock::lock(): Argument #5 ($renew) must be of type ?bool, string given
TypeError: RedisLock::lockAll(): Argument #4 ($renew) must be of type ?bool, string given
TypeError: RedisLock::synchronized(): Argument #5 ($renew) must be of type ?bool, string given
TypeError: RedisLock::attach(): Argument #3 ($renew) must be of type ?bool, string given
