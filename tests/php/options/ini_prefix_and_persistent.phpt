--TEST--
The INI settings prefix, persistent and max_waiters: what makes no sense is refused, at the start of PHP too
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/process.inc';

$set = fn (string $name, string $value) => var_dump(ini_set("redislock.$name", $value) !== false);
$set('prefix', str_repeat('p', 65535));
$set('prefix', str_repeat('p', 65536));
var_dump(strlen(ini_get('redislock.prefix')));
foreach (['On', 'off', 'yes', 'no', '1', '0', '', 'true', 'garbage', '2'] as $value) {
    $set('persistent', $value);
}
$set('max_waiters', '1000000001');
$set('max_waiters', '99999999999999999999');

foreach (['persistent=garbage', 'max_waiters=many', 'prefix=' . str_repeat('p', 65536)] as $setting) {
    echo Worker::run('var_dump(ini_get("redislock." . $argv[1]));', [strstr($setting, '=', true)], [], ['-d', 'display_startup_errors=1', '-d', 'html_errors=0', '-d', "redislock.$setting"]);
}
?>
--EXPECTF--
bool(true)

Warning: ini_set(): redislock.prefix must be at most 65535 bytes long; the value is unchanged in %s on line %d
bool(false)
int(65535)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)

Warning: ini_set(): redislock.persistent must be on or off; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.persistent must be on or off; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.max_waiters must be a whole number from 0 to 1000000000; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.max_waiters must be a whole number from 0 to 1000000000; the value is unchanged in %s on line %d
bool(false)

Warning: PHP Startup: redislock.persistent must be on or off; the value is unchanged in Unknown on line 0
string(1) "1"

Warning: PHP Startup: redislock.max_waiters must be a whole number from 0 to 1000000000; the value is unchanged in Unknown on line 0
string(1) "0"

Warning: PHP Startup: redislock.prefix must be at most 65535 bytes long; the value is unchanged in Unknown on line 0
string(5) "lock:"
