--TEST--
Every parameter that may be a secret is marked as one for traces
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

foreach ((new ReflectionClass('RedisLock'))->getMethods() as $method) {
    foreach ($method->getParameters() as $parameter) {
        if (in_array($parameter->getName(), ['servers', 'options', 'token', 'password', 'tokens'], true) || str_contains(strtolower($parameter->getName()), 'token')) {
            echo $method->getName(), ' $', $parameter->getName(), ': ', count($parameter->getAttributes('SensitiveParameter')), "\n";
        }
    }
}
?>
--EXPECT--
__construct $servers: 1
__construct $options: 1
lock $token: 1
unlock $token: 1
expire $token: 1
attach $token: 1
