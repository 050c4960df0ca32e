--TEST--
phpinfo(), php -i, ini_get() and ini_get_all() show a server's password neither before nor after it was refused, nor while it is in use
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

/** Those lines of a long output that are worth showing. */
function lines_with(string $output, string $secret): string
{
    $lines = preg_grep('/' . preg_quote($secret, '/') . '/', explode("\n", $output));
    return implode("\n", $lines) ?: 'none of ' . substr_count($output, "\n") . ' lines';
}

$server = RedisServer::start(['user alice on >s3cret ~* &* +@all'], tcp: true);
$code = <<<'PHP'
    $dsn = getenv('SERVER');
    var_dump(ini_get('redislock.servers'), ini_set('redislock.servers', $dsn), ini_get('redislock.servers'));
    try {
        $lock = new RedisLock();
        $lock->lock('x');
    } catch (RedisLockException | ValueError $e) {
        echo $e;
    }
    ini_restore('redislock.servers');
    (new RedisLock($dsn))->lock('y');
    (new RedisLock('env:SERVER'))->lock('z');
    debug_zval_dump($lock ?? null, $e ?? null);
    var_dump(ini_get_all('redislock'), ini_get_all(), error_get_last(), get_defined_constants(true)['user'] ?? []);
    if (method_exists('RedisLock', 'stats')) {
        var_dump(RedisLock::stats());
    }
    phpinfo(INFO_GENERAL | INFO_CONFIGURATION | INFO_MODULES);
    echo "\nthe end\n";
    PHP;
foreach (['unset', 'env:SERVER', $server->tcpDsn('alice:s3cret')] as $setting) {
    $output = Worker::run($code, [], ['SERVER' => $server->tcpDsn('alice:s3cret')], $setting === 'unset' ? [] : ['-d', "redislock.servers=$setting"]);
    $setting = str_replace('s3cret', '…', preg_replace('/:\d+$/', '', $setting));
    is_so("$setting: came to its end", str_ends_with($output, "the end\n"), $output);
    is_so("$setting: refused with advice", substr_count($output, 'env:NAME') >= 1, $output);
    has_no_secret($setting, lines_with($output, 's3cret'), 's3cret');
}
$worker = new Child([...php_command(), '-d', 'redislock.servers=' . $server->tcpDsn('alice:s3cret'), '-i'], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], ['REDISLOCK_TEST_OTHER' => '1']);
$output = preg_replace('/^(\$_SERVER|\$_ENV).*$/m', '', stream_get_contents($worker->pipes[1]));
is_so('php -i has our part', str_contains($output, 'redislock.servers'));
has_no_secret('php -i', lines_with($output, 's3cret'), 's3cret');
?>
--EXPECT--
unset: came to its end: yes
unset: refused with advice: yes
unset: no secret
env:SERVER: came to its end: yes
env:SERVER: refused with advice: yes
env:SERVER: no secret
redis://alice:…@127.0.0.1: came to its end: yes
redis://alice:…@127.0.0.1: refused with advice: yes
redis://alice:…@127.0.0.1: no secret
php -i has our part: yes
php -i: no secret
