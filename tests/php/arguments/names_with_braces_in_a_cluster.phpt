--TEST--
In a cluster a "}" may stand in a name only where the first "{" begins a hash tag; on one server it may stand anywhere
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$one = new RedisLock($server->dsn());
$cluster = new RedisLock('redis-cluster://127.0.0.1:1', ['connect_timeout' => 0.2]);
foreach (['a', '{a}', 'a{b}c', 'a{', '{', 'a}{b}', '{a}}{}', "\0{\xff}", '}', '{}', 'a{}', '{}{a}', 'a}b{', '}{'] as $name) {
    try {
        $cluster->lock($name);
        $so = 'NOTHING THROWN';
    } catch (ValueError) {
        $so = 'refused';
    } catch (RedisLockException) { // nobody listens there
        $so = 'taken';
    }
    echo json_encode($name, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_UNICODE), ": $so; ", $one->lock($name) ? 'locked' : 'NOT LOCKED', " on one server\n";
}
?>
--EXPECT--
"a": taken; locked on one server
"{a}": taken; locked on one server
"a{b}c": taken; locked on one server
"a{": taken; locked on one server
"{": taken; locked on one server
"a}{b}": taken; locked on one server
"{a}}{}": taken; locked on one server
"\u0000{�}": taken; locked on one server
"}": refused; locked on one server
"{}": refused; locked on one server
"a{}": refused; locked on one server
"{}{a}": refused; locked on one server
"a}b{": refused; locked on one server
"}{": refused; locked on one server
