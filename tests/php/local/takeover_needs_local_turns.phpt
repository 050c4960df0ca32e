--TEST--
Takeover: refused beside local => false; without an effect where local turns are off; its value is a switch
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

foreach ([
    ['local' => false, 'takeover' => true], ['takeover' => true, 'local' => '0'], ['takeover' => 'perhaps'], ['takeover' => []],
    ['takeover' => true], ['takeover' => 'on', 'local' => '1'], ['takeover' => null, 'local' => false], ['takeover' => false, 'local' => false],
    ['takeover' => true, 'local' => null],
] as $options) {
    try {
        new RedisLock('redis://127.0.0.1', $options);
        echo json_encode($options), ": taken\n";
    } catch (ValueError | TypeError $e) {
        echo json_encode($options), ': ', get_class($e), ': ', $e->getMessage(), "\n";
    }
}

// redislock.local is 0.
$server = RedisServer::start();
$machine = new Machine($server->dsn());
$workers = Remote::startMany(2, $server->dsn(), ['takeover' => true], '', $machine->php());
check_off('not local', $machine, $workers);
?>
--EXPECT--
{"local":false,"takeover":true}: ValueError: RedisLock::__construct(): Argument #2 ($options) option "takeover" must be false if the option "local" is
{"takeover":true,"local":"0"}: ValueError: RedisLock::__construct(): Argument #2 ($options) option "takeover" must be false if the option "local" is
{"takeover":"perhaps"}: ValueError: RedisLock::__construct(): Argument #2 ($options) option "takeover" must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false
{"takeover":[]}: TypeError: RedisLock::__construct(): Argument #2 ($options) option "takeover" must be of type bool, array given
{"takeover":true}: taken
{"takeover":"on","local":"1"}: taken
{"takeover":null,"local":false}: taken
{"takeover":false,"local":false}: taken
{"takeover":true,"local":null}: taken
not local: [true,true,true], none was passed on
    possible
