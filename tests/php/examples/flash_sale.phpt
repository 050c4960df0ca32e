--TEST--
examples/flash-sale: what it prints is all in a file that its standard output and its standard error share
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pdo_sqlite');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$sale = dirname(__DIR__, 3) . '/examples/flash-sale/sale.php';
$options = ['PHP_OPTIONS' => implode("\n", array_slice(php_command(), 1))];
$run = run_to_end([...php_command(), $sale, $server->folder(), $server->dsn(), '5', '50', '4'], $options, together: true);
array_map('unlink', glob($server->folder() . '/*.sqlite*'));

$parts = ['A flash sale: 5 items', '1. Without a lock', '2. With $lock->lock(', '  sold 5 of 5, refused 45:', 'The lock held:'];
$missing = array_filter($parts, fn ($part) => !str_contains("\n$run->out", "\n$part"));
if ($run->status !== 0 || $missing) {
    echo "it exited with $run->status, without \"", implode('", "', $missing), "\":\n$run->out\n";
}
echo "done\n";
?>
--EXPECT--
done
