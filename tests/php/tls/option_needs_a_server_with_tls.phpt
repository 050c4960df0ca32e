--TEST--
The option tls with a server that has none is refused, since it would be taken for a promise; what is wrong in it is named
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . "/../inc/skipif.inc";
?>
--FILE--
<?php
require __DIR__ . "/tls.inc";

foreach ([["redis://127.0.0.1", []], ["rediss://127.0.0.1", ["cafile" => 1]], ["rediss://127.0.0.1", ["verify_peer" => []]], ["rediss://127.0.0.1", ["verify_peer" => "perhaps"]], ["rediss://127.0.0.1", ["verify_peer_name" => ""]], ["rediss://127.0.0.1", ["ca" => "x"]]] as [$dsn, $tls]) {
    try {
        new RedisLock($dsn, ["tls" => $tls]);
    } catch (Error $e) {
        echo get_class($e), ": ", $e->getMessage(), "\n";
    }
}
?>
--EXPECTF--
ValueError: RedisLock::__construct(): Argument #1 ($servers) must be a server: the option "tls" needs a server with TLS: rediss://
TypeError: RedisLock::__construct(): Argument #2 ($options) option "tls" must have a string as "cafile", int given
TypeError: RedisLock::__construct(): Argument #2 ($options) option "tls" must have a bool as "verify_peer", array given
ValueError: RedisLock::__construct(): Argument #2 ($options) option "tls" must have "verify_peer" as true or false, or a word for it: 1, on, yes or true; 0, off, no or false
ValueError: RedisLock::__construct(): Argument #2 ($options) option "tls" must have "verify_peer_name" as true or false, or a word for it: 1, on, yes or true; 0, off, no or false
ValueError: RedisLock::__construct(): Argument #2 ($options) option "tls" has an unknown "ca"
