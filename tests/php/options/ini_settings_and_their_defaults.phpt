--TEST--
The INI settings and their defaults
--EXTENSIONS--
redislock
--FILE--
<?php
foreach (ini_get_all('redislock', false) as $name => $value) {
    printf("%s = %s\n", $name, $value);
}
?>
--EXPECTF--
redislock.auto_release = 1
redislock.connect_timeout = 1%S
redislock.expire = 30%S
redislock.local = 0
redislock.max_hold = 3600
redislock.max_waiters = 0
redislock.metrics = 1
redislock.node_timeout = 0.05
redislock.owner = %S
redislock.persistent = 1
redislock.prefix = lock:
redislock.read_timeout = 1%S
redislock.renew = 0
redislock.replicas = 0
redislock.retry_interval = 0.1
redislock.servers = redis://127.0.0.1:6379
redislock.shared_memory = %s
redislock.slow_hold = INF
redislock.slow_wait = INF
redislock.timeout = 0%S
