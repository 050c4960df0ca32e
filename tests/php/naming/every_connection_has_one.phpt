--TEST--
CLIENT LIST shows host and process of each connection: that of a call, of a wait, of the thread that renews, of a queue
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/naming.inc';

$server = RedisServer::start(tcp: true);
$redis = $server->client();
foreach (['a socket' => $server->dsn(), 'a port, another database' => $server->tcpDsn(database: 3)] as $what => $dsn) {
    $options = ['persistent' => false];
    $lock = new RedisLock($dsn, $options);
    $lock->lock('x', 0, 60);
    echo "$what: ", json_encode(names($redis) === [own_name()]), "\n";

    $waiter = Worker::start('echo "begins\n"; $lock = new RedisLock($argv[1], ["persistent" => false]); echo json_encode($lock->lock("x", 60.0)), "\n";', [$dsn]);
    $waiter->readLine();
    $of_waiter = fn () => array_filter(clients($redis), fn ($client) => $client['name'] === own_name($waiter->pid()));
    is_so('a waiter blocks under its name', wait_until(fn () => array_filter($of_waiter(), fn ($client) => str_contains($client['flags'], 'b')) !== [], 20));
    is_so('and looks under its name', wait_until(fn () => count($of_waiter()) === 2, 20));
    is_so('there is no other connection', count(clients($redis)) === 3);
    $lock->unlock('x');
    echo $waiter->output();

    $lock->lock('y', 0, 0.9, renew: true);
    is_so('the thread has one', wait_until(fn () => names($redis) === [own_name(), own_name()], 20));
    $lock->unlock('y');
    unset($lock);
    $of_thread = clients($redis); // it is kept for a while

    $queue = new RedisQueue($dsn, $options);
    var_dump($queue->pop('q')); // it is not sent again: the name goes along, since the server is known to take it
    is_so('a queue has one', array_unique(array_column(array_diff_key(clients($redis), $of_thread), 'name')) === [own_name()]);
    unset($queue);
    kill_clients($redis);
}
?>
--EXPECT--
a socket: true
a waiter blocks under its name: yes
and looks under its name: yes
there is no other connection: yes
true
the thread has one: yes
bool(false)
a queue has one: yes
a port, another database: true
a waiter blocks under its name: yes
and looks under its name: yes
there is no other connection: yes
true
the thread has one: yes
bool(false)
a queue has one: yes
