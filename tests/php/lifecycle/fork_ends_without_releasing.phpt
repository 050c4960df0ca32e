--TEST--
However a fork ends, and whenever its parent's objects go, it releases none of its parent's locks
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
require __DIR__ . '/fork.inc';

$server = RedisServer::start();
$redis = $server->client();
$ends = [
    'the end of the script' => '',
    'exit in a function' => '(function () { exit(3); })();',
    'uncaught exception' => 'throw new LogicException();',
    'fatal error' => 'trigger_error("fatal", E_USER_ERROR);',
    'memory_limit' => EXCEED_MEMORY_LIMIT,
    'unset' => 'unset($lock);',
    'another call before the end' => '$lock->owner("x");',
    'in synchronized' => '',
    'a fork of the fork' => 'pcntl_fork(); pcntl_wait($status);',
    'SIGKILL' => 'posix_kill(getmypid(), SIGKILL);',
];
foreach ($ends as $way => $end) {
    if ($way === 'SIGKILL' && !function_exists('posix_kill')) {
        $end = 'pcntl_exec("/bin/false");';
    }
    foreach ([true, 'request'] as $auto_release) {
        foreach ([true, false] as $persistent) {
            $fork = '$pid = pcntl_fork(); if ($pid === 0) { ' . $end . ' } else { pcntl_waitpid($pid, $status); echo "child ended\n"; fgets(STDIN); }';
            if ($way === 'in synchronized') {
                $fork = '$lock->synchronized("s", function () use ($lock) { ' . $fork . ' });';
            }
            $parent = Worker::start('
                $options = unserialize($argv[2]);
                $lock = new RedisLock($argv[1], $options);
                $lock->lock("x");
                $kept = new RedisLock($argv[1], $options);
                $kept->lock("y");
                if ($options["auto_release"] === "request") {
                    unset($kept);
                }
                ' . $fork, [$server->dsn(), serialize(['auto_release' => $auto_release, 'persistent' => $persistent])], [], ['-d', 'display_errors=0', '-d', 'memory_limit=16M']);
            $line = $parent->readLine();
            $left = json_encode(all_keys($redis));
            $parent->tell('end');
            $parent->output();
            $expected = $way === 'in synchronized' ? '["lock:s","lock:x","lock:y"]' : '["lock:x","lock:y"]';
            is_so(json_encode([$way, $auto_release, $persistent]), $line === 'child ended' && $left === $expected && all_keys($redis) === [], [$line, $left, all_keys($redis)]);
            $redis->cmd('FLUSHALL');
        }
    }
}
?>
--EXPECT--
["the end of the script",true,true]: yes
["the end of the script",true,false]: yes
["the end of the script","request",true]: yes
["the end of the script","request",false]: yes
["exit in a function",true,true]: yes
["exit in a function",true,false]: yes
["exit in a function","request",true]: yes
["exit in a function","request",false]: yes
["uncaught exception",true,true]: yes
["uncaught exception",true,false]: yes
["uncaught exception","request",true]: yes
["uncaught exception","request",false]: yes
["fatal error",true,true]: yes
["fatal error",true,false]: yes
["fatal error","request",true]: yes
["fatal error","request",false]: yes
["memory_limit",true,true]: yes
["memory_limit",true,false]: yes
["memory_limit","request",true]: yes
["memory_limit","request",false]: yes
["unset",true,true]: yes
["unset",true,false]: yes
["unset","request",true]: yes
["unset","request",false]: yes
["another call before the end",true,true]: yes
["another call before the end",true,false]: yes
["another call before the end","request",true]: yes
["another call before the end","request",false]: yes
["in synchronized",true,true]: yes
["in synchronized",true,false]: yes
["in synchronized","request",true]: yes
["in synchronized","request",false]: yes
["a fork of the fork",true,true]: yes
["a fork of the fork",true,false]: yes
["a fork of the fork","request",true]: yes
["a fork of the fork","request",false]: yes
["SIGKILL",true,true]: yes
["SIGKILL",true,false]: yes
["SIGKILL","request",true]: yes
["SIGKILL","request",false]: yes
