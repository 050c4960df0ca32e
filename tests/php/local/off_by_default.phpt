--TEST--
Without the option, and with false where the setting is on, workers wait in the line of Redis; the setting turns it on
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$machine = new Machine($server->dsn(), ['local' => null]);
check_off('by default', $machine, $machine->workers(2, ['local' => null]));
$workers = Remote::startMany(2, $server->dsn(), ['local' => false], '', [...$machine->php(), '-d', 'redislock.local=1']);
check_off('false', $machine, $workers);
is_so('no segment is made', !file_exists($machine->segment()));
$workers = Remote::startMany(2, $server->dsn(), [], '', [...$machine->php(), '-d', 'redislock.local=1']);
$machine->warmUp($workers);
is_so('with the setting, it is passed on', passed_on($workers) === 1);
var_dump(ini_set('redislock.local', '1'));
foreach ([2, []] as $value) {
    echo outcome(fn () => new RedisLock($server->dsn(), ['local' => $value])), "\n";
}
?>
--EXPECT--
by default: [true,true,true], none was passed on
    possible
false: [true,true,true], none was passed on
    possible
no segment is made: yes
with the setting, it is passed on: yes
bool(false)
ValueError: RedisLock::__construct(): Argument #2 ($options) option "local" must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false
TypeError: RedisLock::__construct(): Argument #2 ($options) option "local" must be of type bool, array given
