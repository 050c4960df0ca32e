--TEST--
unlockAll(), and the end of an object, release very many locks although that takes longer than the time budget: each batch has it anew
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('the budget is for a PHP at full speed');
?>
--INI--
memory_limit=1G
--FILE--
<?php
require __DIR__ . '/very_many.inc';

$server = RedisServer::start();
$redis = $server->client();

/** Takes so many locks, lets go of them, and returns how many requests that took. */
function requests_of(int $count, callable $let_go): int
{
    global $server, $redis;
    $lock = take_very_many(new RedisLock($server->dsn(), ['connect_timeout' => 0.3, 'read_timeout' => 0.3]), $count);
    $redis->cmd('CONFIG', 'RESETSTAT');
    $took = seconds(function () use (&$lock, $let_go) {
        $let_go($lock);
    });
    tell_numbers(sprintf('%d locks: %.2f s', $count, $took));
    echo "$count: ", $redis->cmd('DBSIZE'), " left\n";
    return request_count($redis);
}

$unlock_all = function ($lock) {
    var_dump($lock->unlockAll());
};
$few = requests_of(20_000, $unlock_all);
$many = requests_of(200_000, $unlock_all);
is_between('requests', $many / $few, 9, 11);
requests_of(200_000, function (&$lock) {
    $lock = null;
});
?>
--EXPECT--
bool(true)
20000: 0 left
bool(true)
200000: 0 left
requests: yes
200000: 0 left
