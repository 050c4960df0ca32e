--TEST--
The object goes while the server is gone: a warning that names the lock, and no exception
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
$lock = new RedisLock($server->dsn(), ['password' => null]);
$lock->lock('SKU0001');
$server->kill();
set_error_handler(function (int $level, string $message) {
    is_so('warning', $level === E_WARNING);
    is_so('names the lock', str_contains($message, 'SKU0001'), $message);
});
unset($lock);
restore_error_handler();
echo "went on\n";
?>
--EXPECT--
warning: yes
names the lock: yes
went on
