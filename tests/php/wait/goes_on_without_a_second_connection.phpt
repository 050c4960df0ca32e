--TEST--
The server has no room for a waiter's second connection, or refuses its login by then: the wait goes on, and ends with the lock
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/remote.inc';

$server = RedisServer::start(['user someone on >secret ~* &* +@all']);
$redis = $server->client();
$dsn = $server->address('someone:secret');
foreach (['maxclients', 'password'] as $why) {
    $holder = new RedisLock($dsn);
    $holder->lock('x');
    $waiter = Remote::start($dsn);
    if ($why === 'maxclients') {
        $redis->cmd('CONFIG', 'SET', 'maxclients', server_info($redis, 'clients')['connected_clients']);
    } else {
        $redis->cmd('ACL', 'SETUSER', 'someone', 'resetpass', '>other');
    }
    $waiter->begin('lock', 'x', 20.0);
    await_blocked($redis, 1);
    usleep(700000); // its looks are refused
    $holder->unlock('x');
    $answer = $waiter->answer();
    is_so($why, $answer['result'] === true, $answer);
    $waiter->signal('KILL');
    $redis->cmd('CONFIG', 'SET', 'maxclients', 1000);
    $redis->cmd('DEL', 'lock:x');
}
?>
--EXPECT--
maxclients: yes
password: yes
