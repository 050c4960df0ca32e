--TEST--
A function that gives up the lock, while synchronized() or remember() runs under it
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
$redis = $server->client();
foreach (['unlock', 'unlockAll', 'unset'] as $release) {
    $lock = new RedisLock($server->dsn(), ['expire' => lease(1.8), 'on_loss' => function ($name) use (&$lock, &$told, $release) {
        $told = true;
        match ($release) {
            'unlock' => $lock->unlock($name),
            'unlockAll' => $lock->unlockAll(),
            'unset' => $lock = null,
        };
    }]);
    $section = function () use (&$told) {
        compute_until(function () use (&$told) {
            return $told;
        });
        compute(0.1);
        return 'the result';
    };
    foreach (['synchronized', 'remember'] as $method) {
        $told = false;
        echo "$release, $method: ";
        if ($lock === null) {
            echo "no object\n";
            continue;
        }
        $e = thrown(fn () => $method === 'remember' ? $lock->remember('r', $section, 60) : $lock->synchronized('s', $section));
    }
}
?>
--EXPECTF--
unlock, synchronized: RedisLockLostException: %s
unlock, remember: nothing thrown, returned 'the result'
unlockAll, synchronized: RedisLockLostException: %s
unlockAll, remember: nothing thrown, returned 'the result'
unset, synchronized: %s
unset, remember: no object
