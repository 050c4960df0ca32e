--TEST--
A proxy that checks scripts as text, as that of Alibaba's cluster instances: all works, by a script for each lock
--DESCRIPTION--
Its documents: each key must be written KEYS[<number>], all keys must be in one slot, and there must be one.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/use.inc';

/** A server behind such a proxy. */
function checked(RedisServer $server): Wire
{
    $wire = new Wire($server);
    $wire->wantKeys("ERR for redis cluster, eval/evalsha number of keys can't be negative or zero");
    $wire->wantOneSlot('ERR eval/evalsha command keys must be in same slot');
    $wire->wantLiteralKeys('ERR bad lua script for redis cluster, all the keys that the script uses should be passed using the KEYS array');
    return $wire;
}

foreach (['in several slots' => ['a', 'b', 'c'], 'in one slot' => ['{t}a', '{t}b', '{t}c']] as $where => $names) {
    echo "names $where\n";
    $server = RedisServer::start(password: 'secret');
    $wire = checked($server);
    use_service(str_replace('://', '://:secret@', $wire->dsn()), names: $names);
}
?>
--EXPECT--
names in several slots
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
names in one slot
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
