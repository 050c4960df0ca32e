--TEST--
An INI value with a null byte is refused, and not cut there
--EXTENSIONS--
redislock
--FILE--
<?php
foreach (['servers' => "redis://127.0.0.1:1\0,x", 'prefix' => "app:\0lock:", 'expire' => "3\0x", 'timeout' => "INF\0", 'retry_interval' => "1\0", 'connect_timeout' => "1\0",
    'read_timeout' => "1\0", 'node_timeout' => "1\0", 'max_waiters' => "1\0", 'replicas' => "1\0", 'auto_release' => "off\0", 'persistent' => "off\0"] as $name => $value) {
    $before = ini_get("redislock.$name");
    var_dump(ini_set("redislock.$name", $value));
    if (ini_get("redislock.$name") !== $before) {
        echo "CHANGED\n";
    }
}
?>
--EXPECTF--
Warning: ini_set(): redislock.servers must be a text without null bytes; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.prefix must be a text without null bytes: write such a prefix as the option "prefix"; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.expire must be %s; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.timeout must be %s; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.retry_interval must be %s; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.connect_timeout must be %s; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.read_timeout must be %s; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.node_timeout must be %s; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.max_waiters must be a whole number from 0 to 1000000000; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.replicas must be a whole number from 0 to 16; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.auto_release must be on, off or "request"; the value is unchanged in %s on line %d
bool(false)

Warning: ini_set(): redislock.persistent must be on or off; the value is unchanged in %s on line %d
bool(false)
