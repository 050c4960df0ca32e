--TEST--
Objects with auto_release 'request' whose leases have ended are not kept until the request ends, and the others are
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$worker = Worker::start('
    function take($count, $expire) {
        global $argv;
        for ($i = 0; $i < $count; $i++) {
            (new RedisLock($argv[1], ["auto_release" => "request"]))->lock("x" . ++$GLOBALS["number"], timeout: 5, expire: $expire) || print("NOT HAD\n");
        }
    }
    $number = 0;
    take(20, 600);
    take(2000, 0.02);
    $before = memory_get_usage();
    take(20000, 0.02);
    echo "kB more: ", intdiv(memory_get_usage() - $before, 1000), "\n";
    fgets(STDIN);
', [$server->dsn()]);
$line = $worker->readLine();
preg_match('/^kB more: (-?\d+)$/', $line, $found);
is_so('no more memory', $found && $found[1] < 8000, $line);
is_so('those with a lease are still there', wait_until(fn () => $server->client()->cmd('DBSIZE') === 20));
$worker->tell('end');
$worker->wait();
echo $server->client()->cmd('DBSIZE'), "\n";
?>
--EXPECT--
no more memory: yes
those with a lease are still there: yes
0
