--TEST--
A reply of the wrong type, size or depth is a RedisLockConnectionException, never a crash nor a lock
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$replies = [
    'no RESP' => "HTTP/1.1 400 Bad Request\r\n\r\n",
    'a status' => "+OK\r\n",
    'an integer' => ":1\r\n",
    'nil' => "$-1\r\n",
    'a nil array' => "*-1\r\n",
    'an empty array' => "*0\r\n",
    'one element' => "*1\r\n:1\r\n",
    'words' => "*2\r\n$1\r\n1\r\n$1\r\n0\r\n",
    'an array in it' => "*2\r\n:1\r\n*1\r\n:0\r\n",
    'an unknown answer' => "*2\r\n:7\r\n:0\r\n",
    'a number too large' => "*2\r\n:99999999999999999999999\r\n:0\r\n",
    'a billion elements' => "*1000000000\r\n:1\r\n",
    'more elements than fit a size' => "*4611686018427387905\r\n",
    'a negative length' => "$-5\r\n",
    'a huge string' => "$2000000000\r\nabc",
    'deep nesting' => str_repeat("*1\r\n", 100) . ":1\r\n",
    'an endless line' => '+' . str_repeat('x', 3000000),
    'nothing of it' => '*2',
];
foreach ($replies as $label => $reply) {
    $lock = new RedisLock($wire->dsn(), ['connect_timeout' => slow(0.1), 'read_timeout' => slow(0.1)]);
    $wire->answer($reply, 'EVALSHA');
    echo "$label: ", outcome(fn () => $lock->lock('x', expire: 5)), count($lock->held()) ? ', HELD' : '', "\n";
    $wire->heal();
}
is_so('memory', memory_get_peak_usage() < 16 << 20, memory_get_peak_usage());
is_so('nothing stays locked', wait_until(fn () => all_keys($server->client()) === []));
?>
--EXPECT--
no RESP: RedisLockConnectionException
a status: RedisLockConnectionException
an integer: RedisLockConnectionException
nil: RedisLockConnectionException
a nil array: RedisLockConnectionException
an empty array: RedisLockConnectionException
one element: RedisLockConnectionException
words: RedisLockConnectionException
an array in it: RedisLockConnectionException
an unknown answer: RedisLockConnectionException
a number too large: RedisLockConnectionException
a billion elements: RedisLockConnectionException
more elements than fit a size: RedisLockConnectionException
a negative length: RedisLockConnectionException
a huge string: RedisLockConnectionException
deep nesting: RedisLockConnectionException
an endless line: RedisLockConnectionException
nothing of it: RedisLockConnectionException
memory: yes
nothing stays locked: yes
