--TEST--
A segment that belongs to another user is not used
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
posix_geteuid() === 0 || die('skip only root can give files away');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$machine = new Machine($server->dsn());
touch($machine->segment());
chmod($machine->segment(), 0600);
chown($machine->segment(), 65534); // of "nobody", which a small system has no name for
check_off('another owner', $machine, $machine->workers(2));
is_so('nothing is written there', filesize($machine->segment()) === 0);
?>
--EXPECT--
another owner: [true,true,true], none was passed on
    /redislock.local.v2.0: it belongs to the user 65534
nothing is written there: yes
