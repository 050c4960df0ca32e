--TEST--
Password and tokens show in no dump, export, cast, trace, exception or phpinfo
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

$server = RedisServer::start(['user alice on >w0nder ~* &* +@all'], tcp: true);
$lock = new RedisLock($server->tcpDsn('alice:w0nder'), ['password' => 'unus3d', 'prefix' => 'lock:']);
$lock->lock('x', token: 's3cret-t0ken');

has_no_secret('dumps', shown($lock), 'w0nder', 'unus3d', 's3cret-t0ken', 'alice');
has_no_secret('casts', var_export([(array) $lock, get_object_vars($lock), get_mangled_object_vars($lock), json_encode($lock)], true), 'w0nder', 'unus3d', 's3cret-t0ken');
ob_start();
phpinfo();
has_no_secret('phpinfo', ob_get_clean(), 'w0nder', 'unus3d', 's3cret-t0ken');

// A trace shows arguments. Those of these calls are wrapped by PHP.
$caught = [];
$bad = [
    fn () => new RedisLock('redis://alice:w0nder@127.0.0.1:0'),
    fn () => new RedisLock('redis://127.0.0.1', ['password' => 'w0nder', 'unknown' => 1]),
    fn () => (new RedisLock('redis://127.0.0.1:1'))->lock('x', 0, 5, 's3cret-t0ken'),
    fn () => (new RedisLock('redis://127.0.0.1:1'))->unlock('x', 's3cret-t0ken'),
    fn () => (new RedisLock('redis://127.0.0.1:1'))->expire('x', 5, 's3cret-t0ken'),
    fn () => (new RedisLock('redis://127.0.0.1:1'))->attach('x', 's3cret-t0ken'),
];
foreach ($bad as $call) {
    try {
        $call();
        echo "nothing thrown\n";
    } catch (Throwable $e) {
        has_no_secret(get_class($e), shown($e), 'w0nder', 's3cret-t0ken');
    }
}
?>
--EXPECT--
dumps: no secret
casts: no secret
phpinfo: no secret
ValueError: no secret
ValueError: no secret
RedisLockConnectionException: no secret
RedisLockConnectionException: no secret
RedisLockConnectionException: no secret
RedisLockConnectionException: no secret
