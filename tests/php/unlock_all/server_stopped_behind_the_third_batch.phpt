--TEST--
unlockAll() of very many, of which a server answers the first ones and then falls silent: it ends within its budget of that, says how many may stay, and leaves to the next calls what has room in the backlog
--EXTENSIONS--
redislock
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('the bounds are for a PHP at full speed');
?>
--INI--
memory_limit=512M
--FILE--
<?php
require __DIR__ . '/very_many.inc';

const COUNT = 40_000;
const BUDGET = 0.5;

/** Takes the locks, has the server stop amidst their release, and returns the locks, what was told, and how late it was. */
function release_half(RedisServer $server, callable $let_go): array
{
    $server->client()->cmd('FLUSHALL');
    $lock = take_very_many(new RedisLock($server->dsn(), ['connect_timeout' => BUDGET, 'read_timeout' => BUDGET]), COUNT);
    $stopped = stop_behind($server, 3500);
    held_up_from_now();
    $told = $let_go($lock);
    $ended = hrtime(true);
    took_between('s since it was stopped', ($ended - (int) $stopped->output()) / 1e9, 0, BUDGET + 0.05);
    return [$lock, $told];
}

/** Lets the server go on, and compares what is left with what was told. */
function go_on(RedisServer $server, string $told, RedisLock $other): void
{
    preg_match('/; (\d+) locks may stay until their leases end, and (\d+) until the server is reached again \(lock "x39999"\)$/', $told, $found)
        || exit("unlike what is told: $told\n");
    [, $left, $repeated] = $found;
    echo 'repeated: ', $repeated, "\n";
    is_between('left', (int) $left, 1000, COUNT - 3000 - $repeated);
    $server->resume();
    $redis = $server->client();
    is_so('there were no fewer', $redis->cmd('DBSIZE') <= $left + $repeated, $redis->cmd('DBSIZE') - $left - $repeated);
    is_so('the others are released', wait_until(fn () => $other->waiters('y') === 0 && $redis->cmd('DBSIZE') <= $left, 5));
    is_between('of one batch the server had the requests', $left - $redis->cmd('DBSIZE'), 0, 1000);
}

$server = RedisServer::start();
$other = new RedisLock($server->dsn());

[$lock, $told] = release_half($server, function ($lock) {
    try {
        $lock->unlockAll();
    } catch (RedisLockConnectionException $e) {
        return $e->getMessage();
    }
});
go_on($server, $told, $other);
var_dump($lock->held());
var_dump($lock->unlockAll(), $server->client()->cmd('DBSIZE'));

echo "the end of the object\n";
set_error_handler(function ($level, $text) use (&$warning) {
    $warning = $text;
    return true;
});
[, $told] = release_half($server, function (&$lock) use (&$warning) {
    $lock = null;
    return $warning;
});
is_so('it says so', str_contains($told, 'RedisLock could not release all its locks: unix://'), $told);
go_on($server, $told, $other);
?>
--EXPECT--
s since it was stopped: yes
repeated: 1024
left: yes
there were no fewer: yes
the others are released: yes
of one batch the server had the requests: yes
array(0) {
}
bool(true)
int(0)
the end of the object
s since it was stopped: yes
it says so: yes
repeated: 1024
left: yes
there were no fewer: yes
the others are released: yes
of one batch the server had the requests: yes
