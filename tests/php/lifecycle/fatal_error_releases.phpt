--TEST--
Fatal errors of every kind: the locks are released, also inside of synchronized()
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
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';

$server = RedisServer::start();
$redis = $server->client();
$ends = [
    'undefined function' => 'undefined_function();',
    'memory limit' => EXCEED_MEMORY_LIMIT,
    'time limit' => 'set_time_limit(1); for (;;);',
    'user error' => 'trigger_error("the end", E_USER_ERROR);',
    'compile error' => 'eval("class A extends B {} class B { final function f() {} } class C extends B { function f() {} }");',
];
foreach ($ends as $label => $end) {
    foreach (['$lock->lock("x"); ' . $end, '$lock->synchronized("x", function () { ' . $end . ' });'] as $code) {
        $output = Worker::run('$lock = new RedisLock($argv[1]); ' . $code . ' echo "NOT REACHED";', [$server->dsn()], [], ['-d', 'memory_limit=32M']);
        echo $label, ': ', str_contains($output, 'Fatal error') && !str_contains($output, 'NOT REACHED') ? 'fatal' : $output;
        echo ', ', all_keys($redis) === [] ? 'released' : 'STILL LOCKED', "\n";
    }
}
?>
--EXPECT--
undefined function: fatal, released
undefined function: fatal, released
memory limit: fatal, released
memory limit: fatal, released
time limit: fatal, released
time limit: fatal, released
user error: fatal, released
user error: fatal, released
compile error: fatal, released
compile error: fatal, released
