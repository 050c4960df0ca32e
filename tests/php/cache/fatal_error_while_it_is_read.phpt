--TEST--
remember(): a fatal error while a value is read leaves the rest of the process its error_reporting
--DESCRIPTION--
Leaves memory to PHP's allocator.
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

class Dies {}

$server = RedisServer::start();
(new RedisLock($server->dsn()))->remember('k', fn () => new Dies(), 60, allowedClasses: ['Dies']);
echo preg_replace('/ in .*/', '', Worker::run('
    class Dies { public function __wakeup() { trigger_error("dies", E_USER_ERROR); } }
    register_shutdown_function(fn () => print("error_reporting " . error_reporting() . "\n"));
    (new RedisLock($argv[1]))->remember("k", fn () => "NOT BUILT", 60, allowedClasses: ["Dies"]);
    echo "NOT REACHED\n";
', [$server->dsn()], [], ['-d', 'error_reporting=32767', '-d', 'display_errors=1']));
?>
--EXPECT--
Fatal error: dies
error_reporting 32767
