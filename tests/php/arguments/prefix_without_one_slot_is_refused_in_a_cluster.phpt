--TEST--
In a cluster the prefix counts: one with which no name has one slot is a ValueError at construction, others by the name
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

const CLUSTER = 'redis-cluster://127.0.0.1:1';
foreach (['{}', 'a{}', 'a}{}{b}'] as $prefix) {
    thrown(fn () => new RedisLock(CLUSTER, ['prefix' => $prefix]));
}
thrown(fn () => new RedisQueue(CLUSTER, ['prefix' => '{}']));
ini_set('redislock.prefix', '{}');
thrown(fn () => new RedisLock(CLUSTER));
ini_restore('redislock.prefix');

/** What becomes of the name. Nobody listens there. */
function named(string $prefix, string $name): void
{
    $lock = new RedisLock(CLUSTER, ['prefix' => $prefix, 'connect_timeout' => 0.2]);
    try {
        $lock->lock($name);
        $so = 'NOTHING THROWN';
    } catch (ValueError) {
        $so = 'refused';
    } catch (RedisLockException) {
        $so = 'taken';
    }
    echo "$prefix with $name: $so\n";
}
named('{app}:', 'a}');
named('app}:', 'a');
named('app}:', '{a}');
named('{app', 'a');
named('{app', 'a}');
named('app{', '}a');

$server = RedisServer::start();
var_dump((new RedisLock($server->dsn(), ['prefix' => '{}']))->lock('a'));
?>
--EXPECT--
ValueError: RedisLock::__construct(): Argument #2 ($options) option "prefix" must not have a "}" right behind its first "{": a cluster would put the keys of each name into different slots
ValueError: RedisLock::__construct(): Argument #2 ($options) option "prefix" must not have a "}" right behind its first "{": a cluster would put the keys of each name into different slots
ValueError: RedisLock::__construct(): Argument #2 ($options) option "prefix" must not have a "}" right behind its first "{": a cluster would put the keys of each name into different slots
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "prefix" must not have a "}" right behind its first "{": a cluster would put the keys of each name into different slots
ValueError: RedisLock::__construct(): Argument #2 ($options) option "prefix" must not have a "}" right behind its first "{": a cluster would put the keys of each name into different slots
{app}: with a}: taken
app}: with a: refused
app}: with {a}: taken
{app with a: taken
{app with a}: taken
app{ with }a: refused
bool(true)
