--TEST--
The documented user reaches its locks and nothing else: not other keys, not other commands
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/everything.inc';

$server = RedisServer::start();
$redis = $server->client();
make_user($redis, 'shop', minimal_rights());
$redis->cmd('SET', 'session:1', 'private');

// Another prefix: the reason is told, and nothing is left.
$e = thrown(fn () => (new RedisLock(dsn_of($server, 'shop'), ['prefix' => 'session:']))->lock('1'));
var_dump($e->redisError);
$e = thrown(fn () => (new RedisLock(dsn_of($server, 'shop'), ['prefix' => 'session:']))->forceUnlock('1'));
var_dump($e->redisError);
print_r(all_keys($redis));

$shop = $server->client();
$shop->cmd('AUTH', 'shop', 'secret');
foreach (['GET session:1', 'DEL session:1', 'KEYS *', 'SCAN 0', 'FLUSHALL', 'CONFIG GET *', 'CLIENT LIST', 'ACL LIST', 'SCRIPT FLUSH',
    'PUBLISH c m', 'SUBSCRIBE c', 'INFO', 'SHUTDOWN', 'REPLICAOF NO ONE', 'HSET lock:x f v', 'RENAME lock:x lock:y'] as $command) {
    try {
        $reply = $shop->cmd(...explode(' ', $command));
        echo "$command IS ALLOWED: ", json_encode($reply), "\n";
    } catch (RespError $e) {
        if ($e->word() !== 'NOPERM') {
            echo "$command: ", $e->getMessage(), "\n";
        }
    }
}
try {
    echo $shop->cmd('EVAL', "return redis.call('GET', 'session:1')", 0), " READ BY A SCRIPT\n";
} catch (RespError $e) {
    is_so('scripts are bound too', !str_contains($e->getMessage(), 'private'), $e->getMessage());
}
?>
--EXPECTF--
RedisLockServerException: %s
string(6) "NOPERM"
RedisLockServerException: %s
string(6) "NOPERM"
Array
(
    [0] => session:1
)
scripts are bound too: yes
