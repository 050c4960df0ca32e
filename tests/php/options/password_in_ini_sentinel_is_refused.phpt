--TEST--
A password of a redis-sentinel:// in redislock.servers is refused as any other, and shown nowhere
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/process.inc';

// Also of one that is malformed, where it is not clear what the password is.
foreach (['redis-sentinel://user:s3cret@s1,s2/mymaster', 'VALKEY-SENTINEL://:s3cret@s1/mymaster', 'redis-sentinel://:s3cret@s1,s2'] as $setting) {
    echo str_replace('s3cret', '…', $setting), "\n";
    $output = Worker::run('
        try {
            new RedisLock();
            echo "constructed\n";
        } catch (ValueError $e) {
            echo $e->getMessage(), "\n";
        }
        ob_start();
        phpinfo();
        var_dump(ini_get_all("redislock"), ini_set("redislock.servers", getenv("SETTING")));
        echo $e ?? "";
        echo str_contains(ob_get_clean(), "s3cret") ? "SHOWN\n" : "not shown\n";
    ', [], [], ['-d', "redislock.servers=$setting"]);
    is_so('with the advice', str_contains($output, 'write env:NAME there and set the environment variable NAME'), $output);
    is_so('and not shown', str_contains($output, "not shown\n") && !str_contains($output, 's3cret'), $output);
}
// Without a password it is taken.
echo Worker::run('
    try {
        (new RedisLock())->lock("x");
    } catch (RedisLockConnectionException $e) {
        echo "$e->server\n";
    }
', [], [], ['-d', 'redislock.servers=redis-sentinel://127.0.0.1:1,127.0.0.2:1/mymaster/2']);
?>
--EXPECT--
redis-sentinel://user:…@s1,s2/mymaster
with the advice: yes
and not shown: yes
VALKEY-SENTINEL://:…@s1/mymaster
with the advice: yes
and not shown: yes
redis-sentinel://:…@s1,s2
with the advice: yes
and not shown: yes
redis-sentinel://127.0.0.1:1,127.0.0.2:1/mymaster/2
