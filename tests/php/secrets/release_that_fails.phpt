--TEST--
The warning of a lock that could not be released with its object names the server without its login
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start(['user alice on >s3cret ~* &* +@all'], tcp: true);
$lock = new RedisLock($server->tcpDsn('alice:s3cret'), ['connect_timeout' => 0.1, 'read_timeout' => 0.1]);
$lock->lock('SKU0001', null, null, 't0ken');
$server->pause();
set_error_handler(function (int $level, string $message) use ($server) {
    is_so('a warning', $level === E_WARNING);
    is_so('names server and lock', str_contains($message, '127.0.0.1:' . $server->port()) && str_contains($message, 'SKU0001'), $message);
    has_no_secret('message', $message, 's3cret', 't0ken', 'alice');
    has_no_secret('trace', print_r(debug_backtrace(), true), 's3cret', 't0ken');
    return true;
});
unset($lock);
restore_error_handler();
$server->resume();
?>
--EXPECT--
a warning: yes
names server and lock: yes
message: no secret
trace: no secret
