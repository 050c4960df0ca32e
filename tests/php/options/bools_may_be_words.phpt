--TEST--
A bool may come as 0, 1 or a word, as environment variables give it; what is no word for a bool is an error
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$dsn = $server->dsn();
$connections = fn () => substr_count($redis->cmd('CLIENT', 'LIST'), "\n");

/** What an option of this value does: true or false. */
$effects = [
    'renew' => fn ($value) => str_contains(outcome(fn () => (new RedisLock($dsn, ['renew' => $value]))->lock('x', expire: INF)), 'must be false'),
    'auto_release' => function ($value) use ($dsn, $redis) {
        $lock = new RedisLock($dsn, ['auto_release' => $value]);
        $lock->lock('x');
        unset($lock);
        return $redis->cmd('DEL', 'lock:x') === 0;
    },
    'persistent' => function ($value) use ($dsn, $connections) {
        (new RedisLock($dsn, ['prefix' => 'warm:']))->owner('x');
        $before = $connections();
        $lock = new RedisLock($dsn, ['persistent' => $value]);
        $lock->owner('x');
        return $connections() === $before;
    },
];
if (PHP_INT_SIZE > 4) { // fencing_on_32_bits.phpt has the other case
    $effects['fencing'] = fn ($value) => !str_contains(outcome(fn () => (new RedisLock($dsn, ['fencing' => $value]))->fence('x')), 'Exception');
}
$on = [1, '1', 'on', 'On', 'yes', 'true', 'TRUE', true];
$off = [0, '0', 'off', 'OFF', 'no', 'false', 'False', '', false];
foreach ($effects as $option => $effect) {
    foreach ([...$on, ...$off] as $word) {
        $expected = in_array($word, $on, true);
        if ($effect($word) !== $expected) {
            echo "$option: ", var_export($word, true), ' is not ', json_encode($expected), "\n";
        }
    }
    foreach ([2, -1, 'perhaps', ' 1', "1\0", '10', 'y', 1.0, [], new stdClass()] as $value) {
        $error = outcome(fn () => new RedisLock($dsn, [$option => $value]));
        if (!preg_match("/^(Value|Type)Error: .*option \"$option\" must be /", $error)) {
            echo "$option: ", var_export($value, true), " gives $error\n";
        }
    }
}
thrown(fn () => new RedisLock($dsn, ['renew' => 'perhaps']));
thrown(fn () => new RedisLock($dsn, ['renew' => 1.5]));
thrown(fn () => new RedisQueue($dsn, ['persistent' => 'perhaps']));
?>
--EXPECT--
ValueError: RedisLock::__construct(): Argument #2 ($options) option "renew" must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false
TypeError: RedisLock::__construct(): Argument #2 ($options) option "renew" must be of type bool, float given
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "persistent" must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false
