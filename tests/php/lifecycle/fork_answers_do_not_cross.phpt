--TEST--
Parent and forks that use the same object at once: each gets its own answers
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
foreach ([true, false] as $persistent) {
    $lock = new RedisLock($server->dsn(), ['persistent' => $persistent, 'auto_release' => false, 'read_timeout' => 20.0]);
    $lock->lock('warm');
    $lock->unlock('warm');
    $work = function (string $who) use ($lock): string {
        for ($i = 0; $i < 2000; $i++) {
            $name = "$who $i";
            $got = [$lock->lock($name, null, null, $name), $lock->owner($name), $lock->unlock($name)];
            if ($got !== [true, $name, true]) {
                return "$name got " . json_encode($got);
            }
        }
        return 'no answer of another';
    };
    $children = [];
    for ($i = 0; $i < 3; $i++) {
        $pipe = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        $pid = pcntl_fork();
        if ($pid === 0) {
            fwrite($pipe[1], $work("child $i"));
            exit;
        }
        fclose($pipe[1]);
        $children[$pid] = $pipe[0];
    }
    // A child that had no answer at all in time says something else.
    $report = fn (string $who, string $said) => is_safe_if(str_contains($said, ' got ['), "$who: no answer of another", $said === 'no answer of another', $said);
    $report('parent', $work('parent'));
    foreach ($children as $pid => $pipe) {
        $report('child', stream_get_contents($pipe));
        pcntl_waitpid($pid, $status);
    }
    $report('parent', $work('parent again'));
}
?>
--EXPECT--
parent: no answer of another: yes
child: no answer of another: yes
child: no answer of another: yes
child: no answer of another: yes
parent: no answer of another: yes
parent: no answer of another: yes
child: no answer of another: yes
child: no answer of another: yes
child: no answer of another: yes
parent: no answer of another: yes
