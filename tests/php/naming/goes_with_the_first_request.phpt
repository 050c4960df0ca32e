--TEST--
A name goes out in the write of the first request, once for each connection; a kept one says nothing more
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/naming.inc';

$server = RedisServer::start();
$wire = new Wire($server);
(new RedisLock($server->dsn()))->owner('x'); // the server knows the script
$lock = new RedisLock($wire->dsn(), ['persistent' => false]);
$lock->owner('x');
is_so('in front of the request', array_map(fn ($event) => $event[2], $wire->events()) === ['open', 'request', 'request', 'reply', 'reply']);
is_so('it is that of this process', $wire->names() === [own_name()]);
is_so('one round trip', $wire->roundTrips() === 1);
$wire->forget();
$lock->owner('x');
$lock->lock('x');
$lock->unlock('x');
is_so('not again', $wire->names() === []);

$wire->cutAll();
$wire->forget();
$lock->owner('x');
is_so('again over another connection', $wire->names() === [own_name()] && $wire->roundTrips() === 1);

// Behind the login, each request of which is granted first.
$server->client()->cmd('ACL', 'SETUSER', 'joe', 'on', '>secret', '~*', '+@all');
$wire->forget();
$joe = new RedisLock(str_replace('://', '://joe:secret@', $wire->dsn(2)), ['persistent' => false]);
$joe->owner('x'); // the connection is kept until the end: a close would be one event more
echo implode(' ', array_map(fn ($event) => $event[2] === 'request' ? strtoupper($event[3][0]) : $event[2], $wire->events())), "\n";
?>
--EXPECT--
in front of the request: yes
it is that of this process: yes
one round trip: yes
not again: yes
again over another connection: yes
open AUTH SELECT reply reply CLIENT EVALSHA reply reply
