--TEST--
The note that an extension leaves behind a lost one goes with the lock, whichever call releases that: lockAll() that gives back, forceUnlock(), remember()
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
require __DIR__ . '/../inc/wire.inc';

$server = RedisServer::start();
$redis = $server->client();
$wire = new Wire($server);

// From now on an extension of this process may still arrive.
$lock = new RedisLock($wire->dsn(), ['read_timeout' => slow(2.0)]);
$lock->lock('x');
$lock->expire('x', 20);
$wire->loseReply('EVALSHA');
var_dump($lock->expire('x', 30), $lock->unlock('x'), all_keys($redis));

/** The notes that there are. */
function notes(RawClient $redis): string
{
    return implode(' ', array_filter(all_keys($redis), fn ($key) => str_ends_with($key, ':rl:note')));
}

$lock = new RedisLock($server->dsn());

echo "lockAll(), which renews what it has while it waits:\n";
$redis->cmd('SET', 'lock:b', 'foreign');
$watch = Worker::start('
    require $argv[1];
    $redis = new RawClient($argv[2]);
    echo "ready\n";
    while (count($redis->cmd("KEYS", "*:rl:note")) < 2) {
        usleep(1000);
    }
    echo "seen\n";
', [__DIR__ . '/../inc/client.inc', $server->addressOf('lock:b')]);
$watch->readLine();
var_dump($lock->lockAll(['a1', 'a2', 'b'], timeout: 1.0, expire: 1.2));
echo $watch->readLine(), "\n";
$redis->cmd('DEL', 'lock:b');
print_r(all_keys($redis));

echo "forceUnlock():\n";
$lock->lock('f', expire: 30);
$lock->expire('f', 20);
echo notes($redis), "\n";
var_dump((new RedisLock($server->dsn()))->forceUnlock('f'));
print_r(all_keys($redis));

echo "remember():\n";
var_dump($lock->remember('r', function () use ($lock, $redis) {
    $lock->expire('r', 20);
    echo notes($redis), "\n";
    return 1;
}, 60));
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
bool(true)
array(0) {
}
lockAll(), which renews what it has while it waits:
bool(false)
seen
Array
(
)
forceUnlock():
{lock:f}:rl:note
bool(true)
Array
(
)
remember():
{lock:r}:rl:note
int(1)
Array
(
    [0] => {lock:r}:rl:value
)
