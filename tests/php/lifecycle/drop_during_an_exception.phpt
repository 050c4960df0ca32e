--TEST--
The object goes while an exception unwinds the stack: it is released, and the exception is the one thrown
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
function section(string $dsn): void
{
    $lock = new RedisLock($dsn);
    $lock->lock('x');
    throw new DomainException('sold out');
}
try {
    section($server->dsn());
} catch (DomainException $e) {
    var_dump($e->getMessage(), $e->getPrevious(), all_keys($server->client()));
}

// The same with a server that is gone: the exception is still the one thrown.
function other_section(RedisServer $server): void
{
    $lock = new RedisLock($server->dsn());
    $lock->lock('x');
    $server->kill();
    throw new DomainException('sold out');
}
try {
    @other_section($server);
} catch (Throwable $e) {
    var_dump(get_class($e), $e->getPrevious());
}
?>
--EXPECT--
string(8) "sold out"
NULL
array(0) {
}
string(15) "DomainException"
NULL
