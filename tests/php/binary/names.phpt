--TEST--
Names are any bytes: NUL, CRLF, spaces, braces, long ones
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$names = [
    'nul' => "a\0b", 'only nul' => "\0", 'crlf' => "a\r\nDEL lock:x\r\n", 'space' => ' a b ', 'tag' => '{a}b',
    'open brace' => 'a{b', 'close brace' => 'a}b', 'empty tag' => '{}a', 'format' => '%s%n%b', 'utf-8' => 'Größe ☃',
    'latin-1' => "Gr\xF6\xDFe", 'quotes' => "'\"\\", 'all bytes' => implode(array_map('chr', range(0, 255))),
    'long' => str_repeat('x', 10000), 'number' => '0', 'glob' => '*?[a]',
];
$lock = new RedisLock($server->dsn());
$other = new RedisLock($server->dsn());
foreach ($names as $label => $name) {
    $good = $lock->lock($name)
        && $redis->cmd('GET', "lock:$name") === $lock->token($name)
        && array_key_exists($name, $lock->held())
        && $lock->isLocking($name)
        && $lock->owner($name) === $lock->token($name)
        && $lock->waiters($name) === 0
        && !$other->lock($name)
        && !$other->lock($name, timeout: 0.02)
        && $lock->expire($name, 60)
        && $lock->unlock($name)
        && $other->lock($name)
        && $other->forceUnlock($name)
        && all_keys($redis) === [];
    echo "$label: ", $good ? 'good' : 'BAD', "\n";
    $other->unlock($name);
}
?>
--EXPECT--
nul: good
only nul: good
crlf: good
space: good
tag: good
open brace: good
close brace: good
empty tag: good
format: good
utf-8: good
latin-1: good
quotes: good
all bytes: good
long: good
number: good
glob: good
