--TEST--
No notice is given where no PHP code runs: it neither hides an exception that nobody has caught, nor keeps a shutdown function from running
--DESCRIPTION--
Leaves memory to PHP's allocator.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

const UNCAUGHT = <<<'PHP'
    putenv('REDISLOCK_TEST_RECORD'); // what it makes a process do at its end is PHP code, which hears of the loss
    require INC;

    // The engine makes a text of each, one after another, and looks for notices between them.
    $previous = null;
    for ($i = 0; $i < 6000; $i++) {
        $previous = new LogicException('previous', 0, $previous);
    }
    $lock = new RedisLock($argv[1], ['expire' => lease(1.0), 'on_loss' => 'throw']);
    $lock->lock('x');
    try {
        throw new DomainException('the cause', 0, $previous);
    } finally {
        compute_until(fn () => $lock->lost('x')); // the notice has to wait
    }
    PHP;
const SHUTDOWN = <<<'PHP'
    require INC;

    $lock = new RedisLock($argv[1], ['expire' => lease(0.3), 'on_loss' => 'throw']);
    register_shutdown_function('usleep', (int) (lease(0.6) * 1e6));
    register_shutdown_function(function () {
        try {
            compute(LONG);
        } catch (RedisLockLostException $e) {
            echo 'the next function hears of it: ', get_class($e), "\n";
        }
    });
    $lock->lock('x');
    PHP;

$server = RedisServer::start();
$run = run_script(UNCAUGHT, [$server->dsn()]);
echo "$run->status\n", preg_match('/DomainException: the cause/', $run->out) ? "the cause is told\n" : substr($run->out, 0, 500);
echo preg_match('/RedisLockLostException.*/', $run->out, $found) ? "$found[0]\n" : '';
$run = run_script(SHUTDOWN, [$server->dsn()]);
echo "$run->status\n$run->out";
?>
--EXPECT--
255
the cause is told
0
the next function hears of it: RedisLockLostException
