--TEST--
Row A: with auto_release false a lock outlives its object as the old class's did; by default it goes with it
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$redis = $server->client();

if ((new RedisLock($server->dsn(), ['prefix' => '', 'auto_release' => false]))->lock('SKU0001')) {
    is_so('false: locked inside of the section', all_keys($redis) === ['SKU0001'], all_keys($redis));
}
$redis->cmd('FLUSHALL');
$request = Worker::start(
    'if ((new RedisLock($argv[1], ["prefix" => "", "auto_release" => "request"]))->lock("SKU0001")) {
        echo "in the section\n";
        fgets(STDIN);
    }',
    [$server->dsn()],
);
echo $request->readLine(), "\n";
is_so("'request': locked inside of the section", all_keys($redis) === ['SKU0001'], all_keys($redis));
$request->tell('end');
$request->wait();
is_so("'request': released with the request", all_keys($redis) === [], all_keys($redis));
if ((new RedisLock($server->dsn(), ['prefix' => '']))->lock('SKU0001')) {
    is_so('the default: released before the section began', all_keys($redis) === [], all_keys($redis));
}
?>
--EXPECT--
false: locked inside of the section: yes
in the section
'request': locked inside of the section: yes
'request': released with the request: yes
the default: released before the section began: yes
