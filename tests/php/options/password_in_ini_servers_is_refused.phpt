--TEST--
A password in redislock.servers is refused with the advice to use env:, and shown nowhere
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

echo $output = Worker::run('
    try {
        new RedisLock();
        echo "constructed\n";
    } catch (Throwable $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
    ob_start();
    phpinfo();
    var_dump(ini_get_all("redislock"));
    echo $e ?? "";
    $all = ob_get_clean();
    var_dump(strlen($all) > 1000, str_contains($all, "s3cret"));
', options: ['-d', 'redislock.servers=redis://user:s3cret@127.0.0.1:1']);
has_no_secret('output', $output, 's3cret');
?>
--EXPECTF--
%Aenv:%A
ValueError: %senv:%s
bool(true)
bool(false)
output: no secret
