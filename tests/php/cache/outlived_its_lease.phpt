--TEST--
remember(): a rebuild that outlived its lease is returned, and does not overwrite a newer value
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start();
$redis = $server->client();
$slow = building($server, options: ['expire' => 0.3]);
$lock = new RedisLock($server->dsn());
var_dump($lock->remember('k', fn () => 'newer', 60)); // waits until the lease is over
$slow->tell('older');
echo $slow->output();
var_dump($lock->remember('k', fn () => 'newest', 60));

// Also while the newer one is being built.
$lock->forget('k');
$slow = building($server, options: ['expire' => 0.3]);
var_dump($lock->remember('k', function () use ($slow) {
    $slow->tell('older');
    echo $slow->output();
    return 'newer';
}, 60));
var_dump($lock->remember('k', fn () => 'newest', 60));
echo implode(' ', all_keys($redis)), "\n";
?>
--EXPECT--
string(5) "newer"
"older"
string(5) "newer"
"older"
string(5) "newer"
string(5) "newer"
{lock:k}:rl:value
