--TEST--
What fails to log in at a sentinel, or at the master that it names, shows neither password nor user, with every display switched on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/process.inc';

const AT_MASTER = 'pass-m4ster';
const AT_SENTINEL = 'pass-s3ntinel';

$set = SentinelSet::start(password: AT_MASTER, sentinelPassword: AT_SENTINEL, sentinelConfig: ['user w4rden on >' . AT_SENTINEL . ' +@all']);
$dsn = $set->dsn();
$wrong = str_replace(AT_MASTER, AT_MASTER . 'x', $dsn);
$good = ['sentinel_username' => 'w4rden', 'sentinel_password' => AT_SENTINEL];

$failures = [
    'the right ones' => [$dsn, $good, 'trigger_error(print_r([$lock, $lock->held()], true), E_USER_WARNING); throw new RedisLockException("Connection");'],
    'a wrong password at the master' => [$wrong, $good],
    'none at the master' => [str_replace(':' . AT_MASTER . '@', '', $dsn), $good],
    'a wrong password at the sentinels' => [$dsn, ['sentinel_password' => AT_SENTINEL . 'x'] + $good],
    'an unknown user at the sentinels' => [$dsn, ['sentinel_username' => 'w4rden-2'] + $good],
    'none at the sentinels' => [$dsn, []],
    'an unknown master' => [$set->dsn(name: 'other'), $good],
    'nobody to ask' => ['redis-sentinel://:' . AT_MASTER . '@127.0.0.1:1/mymaster', $good],
    'malformed' => ['redis-sentinel://:' . AT_MASTER . '@127.0.0.1:port/mymaster', $good],
    'one of several' => [[$dsn, 'redis://127.0.0.1:1'], $good],
    'a user without a password' => [$dsn, ['sentinel_username' => 'w4rden']],
    'a password of the wrong type' => [$dsn, ['sentinel_password' => [AT_SENTINEL]]],
    'an unknown option' => [$dsn, ['sentinel_passwort' => AT_SENTINEL] + $good],
    'of a server without sentinels' => ['redis://127.0.0.1:1', $good],
];
foreach ($failures as $failure => $given) {
    [$servers, $options, $then] = [...$given, ''];
    $output = Worker::run('
        [$servers, $options] = json_decode(getenv("GIVEN"), true);
        putenv("GIVEN"); unset($_SERVER["GIVEN"], $_ENV["GIVEN"]);
        $lock = new RedisLock($servers, $options);
        $lock->lock("x");' . $then, [], ['GIVEN' => json_encode([$servers, $options])], ['-d', 'zend.exception_ignore_args=0', '-d', 'zend.exception_string_param_max_len=1000000', '-d', 'display_errors=1', '-d', 'error_reporting=-1']);
    $failed = str_contains($output, 'Uncaught');
    has_no_secret($failed ? $failure : "$failure DID NOT FAIL: $output", $output, AT_MASTER, AT_SENTINEL, 'w4rden');
}

// What is known of the objects of both classes, and of an exception.
$objects = [new RedisLock($dsn, $good), new RedisQueue($dsn, $good)];
$objects[0]->lock('y');
has_no_secret('objects', shown($objects) . print_r((array) $objects[0], true), AT_MASTER, AT_SENTINEL, 'w4rden');
try {
    (new RedisLock($dsn, ['sentinel_password' => AT_SENTINEL . 'x'] + $good))->lock('x');
} catch (RedisLockConnectionException $e) {
    echo preg_replace('/127\.0\.0\.1:\d+/', 'HOST:PORT', $e->getMessage()), "\n";
    has_no_secret('exception', shown($e) . $e->server . $e->redisError, AT_MASTER, AT_SENTINEL, 'w4rden');
}
ob_start();
phpinfo(INFO_MODULES);
has_no_secret('phpinfo', ob_get_clean(), AT_MASTER, AT_SENTINEL);
?>
--EXPECT--
the right ones: no secret
a wrong password at the master: no secret
none at the master: no secret
a wrong password at the sentinels: no secret
an unknown user at the sentinels: no secret
none at the sentinels: no secret
an unknown master: no secret
nobody to ask: no secret
malformed: no secret
one of several: no secret
a user without a password: no secret
a password of the wrong type: no secret
an unknown option: no secret
of a server without sentinels: no secret
objects: no secret
redis-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/mymaster/0: no sentinel could be asked; HOST:PORT: the login was refused (WRONGPASS): that of the sentinels is the option sentinel_password (lock "x")
exception: no secret
phpinfo: no secret
