--TEST--
once(): reads; on a miss one reads again under the lock, and builds
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

$server = RedisServer::start();
$wire = new Wire($server);
$lock = new RedisLock($wire->dsn());
$read = function () use (&$kept, $lock) {
    echo 'reads ', $lock->held() ? 'under the lock' : 'without', "\n";
    return $kept;
};
$rebuild = function () use (&$kept, $lock) {
    echo 'builds ', $lock->held() ? 'under the lock' : 'WITHOUT', "\n";
    return $kept = 'value';
};
var_dump($lock->once('o', $read, $rebuild));
$wire->forget();
var_dump($lock->once('o', $read, $rebuild), $wire->requests());

// Found by the second look.
$looks = 0;
var_dump($lock->once('o', function () use (&$looks) { return ++$looks === 2 ? false : null; }, $rebuild));

thrown(fn () => $lock->once('o', fn () => throw new DomainException('cannot read'), $rebuild));
thrown(fn () => $lock->once('o', fn () => null, fn () => throw new DomainException('cannot build')));
var_dump($lock->once('o', fn () => null, fn () => null));
var_dump($lock->held(), all_keys($server->client()));
?>
--EXPECT--
reads without
reads under the lock
builds under the lock
string(5) "value"
reads without
string(5) "value"
array(0) {
}
bool(false)
DomainException: cannot read
DomainException: cannot build
NULL
array(0) {
}
array(0) {
}
