--TEST--
The option owner is what the tokens tell of their owner: as it is, by default the host, the pid and the script, or nothing
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

function owner_by(array $options): ?string
{
    global $server;
    $lock = new RedisLock($server->dsn(), $options);
    $lock->lock('x');
    return $lock->holder('x')['owner'];
}

/* What the default is like: a long host is cut, so that the pid stays, and the script as it fits. */
$pid = ':' . getmypid();
$host = substr(substr(gethostname(), 0, 48), 0, 50 - strlen($pid));
$default = rtrim(substr("$host$pid " . basename(__FILE__), 0, 50));

is_so('default', owner_by([]) === $default, owner_by([]));
is_so('null is the default', owner_by(['owner' => null]) === $default, owner_by(['owner' => null]));
var_dump(owner_by(['owner' => 'the shop']), owner_by(['owner' => '0']), owner_by(['owner' => '']));
var_dump(owner_by(['owner' => str_repeat('x', 50)]) === str_repeat('x', 50));
ini_set('redislock.owner', 'the pool');
var_dump(owner_by([]), owner_by(['owner' => null]), owner_by(['owner' => 'the shop']));
var_dump(ini_set('redislock.owner', "a\nb"));
ini_set('redislock.owner', '');
var_dump(owner_by([]));
ini_restore('redislock.owner');
is_so('restored', owner_by([]) === $default, owner_by([]));
foreach ([str_repeat('x', 51), "a\nb", "\xff", "a\0b", "\u{202e}", 5, ['x']] as $wrong) {
    thrown(fn () => new RedisLock($server->dsn(), ['owner' => $wrong]));
}
thrown(fn () => new RedisQueue($server->dsn(), ['owner' => 'x']));
?>
--EXPECTF--
default: yes
null is the default: yes
string(8) "the shop"
string(1) "0"
NULL
bool(true)
string(8) "the pool"
string(8) "the pool"
string(8) "the shop"

Warning: ini_set(): redislock.owner must be at most 50 bytes of UTF-8 without control characters; the value is unchanged in %s on line %d
bool(false)
NULL
restored: yes
ValueError: RedisLock::__construct(): Argument #2 ($options) option "owner" must be at most 50 bytes of UTF-8 without control characters
ValueError: RedisLock::__construct(): Argument #2 ($options) option "owner" must be at most 50 bytes of UTF-8 without control characters
ValueError: RedisLock::__construct(): Argument #2 ($options) option "owner" must be at most 50 bytes of UTF-8 without control characters
ValueError: RedisLock::__construct(): Argument #2 ($options) option "owner" must be at most 50 bytes of UTF-8 without control characters
ValueError: RedisLock::__construct(): Argument #2 ($options) option "owner" must be at most 50 bytes of UTF-8 without control characters
TypeError: RedisLock::__construct(): Argument #2 ($options) option "owner" must be of type string, int given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "owner" must be of type string, array given
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "owner" is unknown
