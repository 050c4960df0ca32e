--TEST--
Two that want the same names in opposite order do not wait for each other
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
$printed = Worker::runMany(2, '
    $lock = new RedisLock($argv[1]);
    $names = $argv[2] === "0" ? ["a", "b", "c"] : ["c", "b", "a"];
    for ($i = 0; $i < 200; $i++) {
        if (!$lock->lockAll($names, timeout: 10) || !$lock->unlockAll()) {
            echo "NOT HAD ";
        }
    }
    echo "done\n";
', [$server->dsn()]);
echo implode('', $printed);
var_dump(all_keys($server->client()));
?>
--EXPECT--
done
done
array(0) {
}
