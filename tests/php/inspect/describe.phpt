--TEST--
describe() puts what is worked on in the place of the script's name, cut to fit and harmless; an option owner is left as it is
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
$lock = new RedisLock($server->dsn());
$named = new RedisLock($server->dsn(), ['owner' => 'the shop']);

function owner_of(RedisLock $lock): ?string
{
    $lock->lock('x');
    $owner = $lock->holder('x')['owner'];
    $lock->unlock('x');
    return $owner;
}

$default = owner_of($lock);
$process = strtok($default, ' ');
foreach (['App\Jobs\Import', 'GET /orders/{id}', "two\nlines\0\e[2J\xff", ''] as $what) {
    RedisLock::describe($what);
    var_dump(str_replace($process, 'PROCESS', owner_of($lock)));
}
RedisLock::describe(str_repeat('é', 40));
$owner = owner_of($lock);
is_so('cut between two characters', str_starts_with($owner, "$process é") && strlen($owner) >= 49 && preg_match('/^\S+ é+$/u', $owner) === 1, $owner);
is_so('the option is left as it is', owner_of($named) === 'the shop');
RedisLock::describe(null);
is_so('back to the default', owner_of($lock) === $default, owner_of($lock));
?>
--EXPECT--
string(23) "PROCESS App\Jobs\Import"
string(24) "PROCESS GET /orders/{id}"
string(23) "PROCESS two?lines??[2J?"
string(7) "PROCESS"
cut between two characters: yes
the option is left as it is: yes
back to the default: yes
