--TEST--
on_loss throw: of very many locks that are lost at once, a hundred are in the chain of exceptions, and all are told of
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'on_loss' => 'throw']);
$names = array_map(fn ($i) => "n$i", range(1, 250));

/** The names of the exception and of its previous ones. */
function names_of(?Throwable $e): array
{
    return $e === null ? [] : [$e->lockName, ...names_of($e->getPrevious())];
}

try {
    try {
        $lock->lockAll($names);
    } finally { // holds the notices back until all are there
        compute_until(fn () => array_filter($names, fn ($name) => !$lock->lost($name)) === []);
    }
    compute(LONG);
} catch (RedisLockLostException $e) {
    $told = names_of($e);
    var_dump(count($told), count(array_unique($told)), array_diff($told, $names));
}
echo count(array_filter($names, $lock->lost(...))), " are lost\n";
thrown(fn () => compute(0.2));
?>
--EXPECT--
int(100)
int(100)
array(0) {
}
250 are lost
nothing thrown, returned 'computed to the end'
