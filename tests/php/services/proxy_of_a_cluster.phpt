--TEST--
A proxy in front of a cluster, as Tencent's, Huawei's, and Envoy with a Redis Cluster: scripts need a key, and all keys in one slot
--DESCRIPTION--
The proxy is one address, written redis://. Huawei's and Tencent's take a password and no user.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/use.inc';
require __DIR__ . '/../inc/slot.inc';

$server = RedisServer::start(password: 'secret');
$wire = new Wire($server);
$wire->wantKeys('ERR eval/evalsha numkeys must be bigger than zero in redis cluster mode');
$wire->wantOneSlot("CROSSSLOT Keys in request don't hash to the same slot");
$dsn = str_replace('://', '://:secret@', $wire->dsn());
use_service($dsn, ['fencing' => true]);

$wire->forget();
$lock = new RedisLock($dsn, ['persistent' => false]);
is_so('names of several slots, twice', $lock->lockAll(['a', 'b']) && $lock->unlockAll() && $lock->lockAll(['b', 'c'], 1.0) && $lock->unlockAll());
$many = array_filter($wire->requestArgs(), fn ($args) => count(array_unique(array_map(slot_of_key(...), array_slice($args, 3, (int) ($args[2] ?? 0))))) > 1);
is_so('refused once a connection', count($many) === 1, count($many));
$wire->answer("-ERR wrong number of arguments for 'auth' command\r\n", 'AUTH');
step('a user where there is none', fn () => (new RedisLock(str_replace(':secret', 'app:secret', $dsn)))->lock('x'));
?>
--EXPECT--
locks: yes
makes the lease longer: yes
says who holds it, and who waits: yes
unlocks: yes
runs a section: yes
forces: yes
renews one: yes
waits, and is handed it over: yes
renews several: yes
locks all: yes
or none: yes
unlocks all: yes
remembers: yes
enqueues and takes a task: yes
waits for a task: yes
names of several slots, twice: yes
refused once a connection: yes
a user where there is none: RedisLockConnectionException: the login was refused (ERR) (lock "x")
