--TEST--
Control bytes of a name, of a server's text and of a server's path are escaped in warnings and exceptions: no line of a log is forged
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$forged = "\n[21-Nov-2026] PHP Fatal error: forged\x1b[31m\x7f\x00\r\t\xc2\x9b31m";
$clean = fn (string $text) => preg_match('/[\x00-\x1f\x7f]|\xc2[\x80-\x9f]/', $text) === 0;

$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$lock->lock('warm-up');
$wire->answer("-ERR a\x0bb\x1b[31m\x7f\t\xc2\x9b31m \xc3\xa9\r\n", 'EVALSHA'); // newer hiredis takes no line end in it
try {
    $lock->lock('x' . $forged);
} catch (RedisLockServerException $e) {
    echo strstr($e->getMessage(), 'ERR'), "\n";
}

try {
    (new RedisLock('redis://a%0B%1Bb:1'))->lock('x');
} catch (RedisLockConnectionException $e) {
    echo $e->server, ' ', $clean($e->getMessage()) ? 'clean' : 'NOT CLEAN', "\n";
}
putenv("A\nB=");
try {
    (new RedisLock("env:A\nB"))->lock('x');
} catch (RedisLockConnectionException $e) {
    echo $e->getMessage(), "\n";
}

$held = new RedisLock($server->dsn());
$held->lock('x' . $forged);
$server->kill();
set_error_handler(function (int $level, string $message) use ($clean) {
    echo strstr($message, ' (lock'), "\n", $clean($message) ? 'clean' : 'NOT CLEAN', "\n";
});
unset($held);
?>
--EXPECT--
ERR a\x0Bb\x1B[31m\x7F\x09\xC2\x9B31m é (lock "x\n[21-Nov-2026] PHP Fatal error: forged\e[31m\x7F\x00\r\t\xC2\x9B31m")
redis://a\x0B\x1Bb:1/0 clean
env:A\x0AB: the environment variable is not set (lock "x")
 (lock "x\n[21-Nov-2026] PHP Fatal error: forged\e[31m\x7F\x00\r\t\xC2\x9B31m")
clean
