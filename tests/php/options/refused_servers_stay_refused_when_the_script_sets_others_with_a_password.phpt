--TEST--
Where php.ini names servers with a password, a script that tries to set others with one has set none: nothing connects to the default, unless the script sets just that
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/process.inc';

echo Worker::run('
    function construct(string $after): void
    {
        try {
            new RedisLock();
            echo "$after: takes ", ini_get("redislock.servers"), "\n";
        } catch (ValueError $e) {
            echo "$after: ", strstr($e->getMessage(), " must be given", true), "\n";
        }
    }
    @ini_set("redislock.servers", "redis://:secret@10.0.0.2");
    construct("refused");
    ini_set("redislock.servers", "redis://127.0.0.1:6379");
    construct("the default, by its name");
    ini_restore("redislock.servers");
    construct("restored");
    @ini_set("redislock.servers", "redis://:secret@10.0.0.2");
    construct("refused again");
    ini_set("redislock.servers", "redis://10.0.0.3");
    construct("another");
    @ini_set("redislock.servers", "redis://:secret@10.0.0.2");
    construct("refused after that");
', [], [], ['-d', 'redislock.servers=redis://:secret@10.0.0.1', '-d', 'display_startup_errors=0', '-d', 'error_log=/dev/null']);
?>
--EXPECT--
refused: RedisLock::__construct(): Argument #1 ($servers)
the default, by its name: takes redis://127.0.0.1:6379
restored: RedisLock::__construct(): Argument #1 ($servers)
refused again: RedisLock::__construct(): Argument #1 ($servers)
another: takes redis://10.0.0.3
refused after that: takes redis://10.0.0.3
