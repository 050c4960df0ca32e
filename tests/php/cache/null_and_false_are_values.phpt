--TEST--
remember(): null and false are values, so a miss of the database is kept too
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
foreach ([null, false, 0, '', []] as $value) {
    $built = 0;
    $build = function () use (&$built, $value) {
        $built++;
        return $value;
    };
    for ($i = 0; $i < 3; $i++) {
        echo json_encode($lock->remember(json_encode($value), $build, 60)), ' ';
    }
    echo "built $built time\n";
}
?>
--EXPECT--
null null null built 1 time
false false false built 1 time
0 0 0 built 1 time
"" "" "" built 1 time
[] [] [] built 1 time
