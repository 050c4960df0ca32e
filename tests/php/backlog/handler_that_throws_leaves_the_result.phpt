--TEST--
A handler that makes exceptions of warnings does not take the result of the section away
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
$log = $server->folder() . '/php.log';
ini_set('error_log', $log);
set_error_handler(fn ($level, $message) => throw new ErrorException($message, 0, $level));
thrown(fn () => $lock->synchronized('x', function () use ($server) {
    $server->kill();
    return 'sold';
}));
restore_error_handler();
is_so('it is logged', str_contains(file_get_contents($log), '(lock "x")'));
?>
--EXPECT--
nothing thrown, returned 'sold'
it is logged: yes
