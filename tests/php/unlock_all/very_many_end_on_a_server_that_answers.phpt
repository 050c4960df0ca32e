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

const READ_TIMEOUT = 0.3;

/**
 * Takes so many locks, lets go of them, and returns how many requests that took. If an answer did not come in time since the machine
 * held it up, it begins again.
 */
function requests_of(int $count, callable $let_go): int
{
    global $server, $redis;
    set_error_handler(function ($level, $text) use (&$wrong) {
        $wrong = $text;
        return true;
    });
    for ($tries = 1;; $tries++) {
        $redis->cmd('FLUSHALL');
        held_up_from_now();
        $wrong = null;
        try {
            $lock = take_very_many(new RedisLock($server->dsn(), ['connect_timeout' => READ_TIMEOUT, 'read_timeout' => READ_TIMEOUT]), $count);
            $redis->cmd('CONFIG', 'RESETSTAT');
            $took = seconds(function () use (&$lock, $let_go) {
                $let_go($lock);
            });
        } catch (RedisLockConnectionException $e) {
            $lock = null;
            $wrong = $e->getMessage();
        }
        if ($wrong === null) {
            break;
        }
        if (held_up() < READ_TIMEOUT || $tries === 5) {
            exit("$wrong\n");
        }
    }
    restore_error_handler();
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
