--TEST--
Renewing survives whatever Redis recovers from within the lease: killed connections, forgotten scripts, a stop, a restart
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start(['appendonly yes', 'appendfsync always']);
$redis = $server->client();
$lock = new RedisLock($server->dsn(), ['expire' => lease(2), 'renew' => true]);
$faults = [
    'CLIENT KILL' => fn () => $redis->cmd('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
    'SCRIPT FLUSH' => fn () => $redis->cmd('SCRIPT', 'FLUSH'),
    'SIGSTOP for 1.2 s' => function () use ($server) {
        $server->pause();
        usleep(1_200_000);
        $server->resume();
    },
    'restart' => function () use ($server, &$redis) {
        $server->restart();
        $redis = $server->client();
    },
];
foreach ($faults as $label => $fault) {
    echo $lock->synchronized('x', function () use ($lock, $fault, $label, &$redis) {
        await_renewed();
        $fault();
        is_so("$label: renewed afterwards", await_renewed(2));
        is_so("$label: still ours", $redis->cmd('GET', 'lock:x') === $lock->token('x'));
        return $label;
    }), "\n";
}
?>
--EXPECT--
CLIENT KILL: renewed afterwards: yes
CLIENT KILL: still ours: yes
CLIENT KILL
SCRIPT FLUSH: renewed afterwards: yes
SCRIPT FLUSH: still ours: yes
SCRIPT FLUSH
SIGSTOP for 1.2 s: renewed afterwards: yes
SIGSTOP for 1.2 s: still ours: yes
SIGSTOP for 1.2 s
restart: renewed afterwards: yes
restart: still ours: yes
restart
