--TEST--
Where php.ini names servers with a password, which is refused, nothing connects to the default in their place, also not after the script's own setting was restored
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
    function construct(): void
    {
        try {
            new RedisLock();
            echo "takes ", ini_get("redislock.servers"), "\n";
        } catch (ValueError $e) {
            echo $e->getMessage(), "\n";
        }
    }
    construct();
    ini_set("redislock.servers", "redis://10.0.0.1");
    construct();
    @ini_set("redislock.servers", "redis://:secret@10.0.0.2");
    construct();
    ini_restore("redislock.servers");
    construct();
    ini_set("redislock.servers", "redis://10.0.0.3");
    construct();
', [], [], ['-d', 'redislock.servers=redis://:secret@10.0.0.1', '-d', 'display_startup_errors=0', '-d', 'error_log=/dev/null']);
?>
--EXPECT--
RedisLock::__construct(): Argument #1 ($servers) must be given, since the INI setting redislock.servers holds a password and was not taken: write env:NAME there and set the environment variable NAME
takes redis://10.0.0.1
takes redis://10.0.0.1
RedisLock::__construct(): Argument #1 ($servers) must be given, since the INI setting redislock.servers holds a password and was not taken: write env:NAME there and set the environment variable NAME
takes redis://10.0.0.3
