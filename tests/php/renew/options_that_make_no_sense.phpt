--TEST--
The options renew and max_hold: what makes no sense is refused by its name, in the array and in the INI settings
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/process.inc';

foreach ([['renew', 'perhaps'], ['renew', 2], ['renew', []], ['max_hold', 0], ['max_hold', 0.005], ['max_hold', -1], ['max_hold', NAN], ['max_hold', 2e9],
    ['max_hold', 'long'], ['max_hold', []], ['max_hold', true]] as [$option, $value]) {
    thrown(fn () => new RedisLock('redis://127.0.0.1:1', [$option => $value]));
}
foreach ([['renew', null], ['renew', true], ['renew', false], ['max_hold', null], ['max_hold', INF], ['max_hold', '60'], ['max_hold', 1]] as [$option, $value]) {
    new RedisLock('redis://127.0.0.1:1', [$option => $value]);
}
thrown(fn () => new RedisQueue('redis://127.0.0.1:1', ['renew' => true]));

$set = fn (string $name, string $value) => var_dump(ini_set("redislock.$name", $value) !== false);
foreach (['On', 'off', 'yes', 'no', '1', '0', '', 'true', 'none', 'garbage', '2', "on\0"] as $value) {
    $set('renew', $value);
}
foreach (['60', '0.5', 'INF', 'inf', '0', '-1', 'long', '1h', "60\0"] as $value) {
    $set('max_hold', $value);
}
echo Worker::run('var_dump(ini_get("redislock.renew"), ini_get("redislock.max_hold"));', [], [], [
    '-d', 'display_startup_errors=1', '-d', 'html_errors=0', '-d', 'redislock.renew=garbage', '-d', 'redislock.max_hold=long',
]);
?>
--EXPECTF--
ValueError: RedisLock::__construct(): Argument #2 ($options) option "renew" must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false
ValueError: RedisLock::__construct(): Argument #2 ($options) option "renew" must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false
TypeError: RedisLock::__construct(): Argument #2 ($options) option "renew" must be of type bool, array given
ValueError: RedisLock::__construct(): Argument #2 ($options) option "max_hold" must be between 0.01 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "max_hold" must be between 0.01 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "max_hold" must be between 0.01 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "max_hold" must be between 0.01 and 1000000000 seconds, or INF
ValueError: RedisLock::__construct(): Argument #2 ($options) option "max_hold" must be between 0.01 and 1000000000 seconds, or INF
TypeError: RedisLock::__construct(): Argument #2 ($options) option "max_hold" must be of type %s, string given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "max_hold" must be of type %s, array given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "max_hold" must be of type %s, %s given
ValueError: RedisQueue::__construct(): Argument #2 ($options) option "renew" is unknown
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)

Warning: ini_set(): redislock.renew must be on or off; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.renew must be on or off; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.renew must be on or off; the value is unchanged in %s on line %d
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)

Warning: ini_set(): redislock.max_hold must be between 0.01 and 1000000000 seconds, or INF; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.max_hold must be between 0.01 and 1000000000 seconds, or INF; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.max_hold must be between 0.01 and 1000000000 seconds, or INF; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.max_hold must be between 0.01 and 1000000000 seconds, or INF; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.max_hold must be between 0.01 and 1000000000 seconds, or INF; the value is unchanged in %s on line %d
bool(false)

Warning: PHP Startup: redislock.%s must be %s; the value is unchanged in Unknown on line 0

Warning: PHP Startup: redislock.%s must be %s; the value is unchanged in Unknown on line 0
string(1) "0"
string(4) "3600"
