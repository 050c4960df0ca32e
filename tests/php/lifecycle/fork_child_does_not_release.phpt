--TEST--
A child that was forked does not release its parent's locks, however it ends
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();
$lock = new RedisLock($server->dsn());
$kept = new RedisLock($server->dsn(), ['auto_release' => 'request']);
$lock->lock('x');
$kept->lock('y');
$ends = [
    'exit' => fn () => exit(0),
    'fatal error' => fn () => ini_set('display_errors', '0') . trigger_error('the end', E_USER_ERROR),
    'unset' => function () {
        unset($GLOBALS['lock'], $GLOBALS['kept']);
        gc_collect_cycles();
        exit(0);
    },
    'unlockAll' => fn () => exit($GLOBALS['lock']->unlockAll() ? 0 : 1),
    'unlock' => fn () => exit($GLOBALS['lock']->unlock('x') ? 1 : 0),
    'expire' => fn () => exit($GLOBALS['lock']->expire('x', 0.02) ? 1 : 0),
];
foreach ($ends as $label => $end) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        $end();
    }
    pcntl_waitpid($pid, $status);
    echo "$label: ", implode(' ', all_keys($redis)), pcntl_wifexited($status) && pcntl_wexitstatus($status) === 1 ? ', FAILED' : '', "\n";
}
var_dump($lock->isLocking('x'), $kept->isLocking('y'), $lock->unlock('x'), $kept->unlock('y'));
?>
--EXPECT--
exit: lock:x lock:y
fatal error: lock:x lock:y
unset: lock:x lock:y
unlockAll: lock:x lock:y
unlock: lock:x lock:y
expire: lock:x lock:y
bool(true)
bool(true)
bool(true)
bool(true)
