--TEST--
Canonical decimal ids come back as int, all others as string; 42 and '42' are one id
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

$server = RedisServer::start();
$queue = new RedisQueue($server->dsn());

$queue->enqueue('x', [42, -1, 0, PHP_INT_MAX, PHP_INT_MIN, '042', '-0', '+1', ' 1', '1.0', '1e3', '9223372036854775808', "a\0b", "\r\n\$5\r\n", "\xff\xfe", str_repeat('x', 65535)]);
foreach ($queue->pop('x', 100) as $task) {
    echo is_int($task['id']) ? 'int ' : 'string ', strlen($task['id']) < 100 ? json_encode($task['id'], JSON_INVALID_UTF8_SUBSTITUTE) : strlen($task['id']), "\n";
}

$queue->enqueue('x', 42);
$queue->enqueue('x', '42');
$queue->enqueue('x', ['42', 42]);
echo counts($queue, 'x'), "\n";
$task = $queue->reserve('x');
var_dump($queue->ack('x', '42', $task['receipt']));
?>
--EXPECT--
int 42
int -1
int 0
int 9223372036854775807
int -9223372036854775808
string "042"
string "-0"
string "+1"
string " 1"
string "1.0"
string "1e3"
string "9223372036854775808"
string "a\u0000b"
string "\r\n$5\r\n"
string "\ufffd\ufffd"
string 65535
1 due
bool(true)
