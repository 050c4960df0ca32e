--TEST--
An INI value that makes no sense is refused with a warning, and the old one stays
--EXTENSIONS--
redislock
--FILE--
<?php
foreach (['expire' => '0.001', 'timeout' => '-1', 'retry_interval' => 'often', 'max_waiters' => '-3', 'replicas' => '17'] as $name => $value) {
    var_dump(ini_set("redislock.$name", $value));
}
var_dump(ini_get('redislock.expire'), ini_get('redislock.timeout'));
?>
--EXPECTF--
Warning: ini_set(): redislock.expire must be %s in %s on line %d
bool(false)

Warning: ini_set(): redislock.timeout must be %s in %s on line %d
bool(false)

Warning: ini_set(): redislock.retry_interval must be %s in %s on line %d
bool(false)

Warning: ini_set(): redislock.max_waiters must be %s in %s on line %d
bool(false)

Warning: ini_set(): redislock.replicas must be a whole number from 0 to 16; the value is unchanged in %s on line %d
bool(false)
string(2) "30"
string(1) "0"
