--TEST--
A subclass that forgets parent::__construct() gets an Error from every method, not a crash
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

final class Forgetful extends RedisLock
{
    public function __construct()
    {
    }
}

$arguments = [
    'lock' => ['x'], 'unlock' => ['x'], 'expire' => ['x'], 'lockAll' => [['x']], 'unlockAll' => [], 'isLocking' => ['x'],
    'synchronized' => ['x', fn () => print("section ran\n")], 'remember' => ['x', fn () => 1, 1.0],
    'once' => ['x', fn () => null, fn () => 1], 'forget' => ['x'], 'held' => [], 'remaining' => ['x'],
    'lost' => ['x'], 'ensure' => ['x'], 'token' => ['x'],
    'fence' => ['x'], 'owner' => ['x'], 'holder' => ['x'], 'waiters' => ['x'], 'forceUnlock' => ['x'], 'attach' => ['x', 'token'], 'detach' => ['x'],
];
$methods = array_filter(get_class_methods(RedisLock::class), fn ($method) => $method !== '__construct' && !(new ReflectionMethod(RedisLock::class, $method))->isStatic());
foreach ($methods as $method) {
    try {
        (new Forgetful())->$method(...$arguments[$method]);
        echo "$method: nothing thrown\n";
    } catch (Error $e) {
        is_so($method, get_class($e) === 'Error' && str_contains($e->getMessage(), 'parent::__construct()'), $e->getMessage());
    }
}
var_dump(new Forgetful());
?>
--EXPECTF--
lock: yes
unlock: yes
expire: yes
lockAll: yes
unlockAll: yes
isLocking: yes
synchronized: yes
remember: yes
once: yes
forget: yes
held: yes
remaining: yes
lost: yes
ensure: yes
token: yes
fence: yes
owner: yes
holder: yes
waiters: yes
forceUnlock: yes
attach: yes
detach: yes
object(Forgetful)#%d (0) {
}
