--TEST--
What a listener throws becomes a warning: the lock is held, or released, all the same
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
$lock = new RedisLock($server->dsn(), ['listener' => fn ($event) => throw new DomainException("at $event")]);
var_dump($lock->lock('x'), $lock->isLocking('x'));
var_dump($lock->synchronized('y', fn () => 'done'));
var_dump($lock->unlock('x'));

echo "a message that is no text\n";
class Odd extends Exception
{
    public function __construct()
    {
        $this->message = null;
    }
}
$odd = new RedisLock($server->dsn(), ['listener' => fn ($event) => throw new Odd()]);
var_dump($odd->lock('x'), $odd->unlock('x'));

echo "an exception that is under way stays\n";
thrown(fn () => $lock->synchronized('z', fn () => throw new LogicException('of the section')));
echo "in a destructor, while an exception is under way\n";
thrown(function () use ($server) {
    $local = new RedisLock($server->dsn(), ['listener' => fn ($event) => throw new DomainException("at $event")]);
    $local->lock('w');
    throw new LogicException('of the function');
});

echo "a handler that throws: the lock is held all the same\n";
set_error_handler(fn ($level, $message) => throw new ErrorException($message));
ini_set('error_log', '/dev/null');
var_dump($lock->lock('x'), $lock->unlock('x'));
restore_error_handler();
var_dump($server->client()->cmd('KEYS', '*'));
?>
--EXPECTF--
Warning: RedisLock: the listener threw DomainException: at acquired in %s on line %d
bool(true)
bool(true)

Warning: RedisLock: the listener threw DomainException: at acquired in %s on line %d

Warning: RedisLock: the listener threw DomainException: at released in %s on line %d
string(4) "done"

Warning: RedisLock: the listener threw DomainException: at released in %s on line %d
bool(true)
a message that is no text

Warning: RedisLock: the listener threw Odd in %s on line %d

Warning: RedisLock: the listener threw Odd in %s on line %d
bool(true)
bool(true)
an exception that is under way stays

Warning: RedisLock: the listener threw DomainException: at acquired in %s on line %d

Warning: RedisLock: the listener threw DomainException: at released in %s on line %d
LogicException: of the section
in a destructor, while an exception is under way

Warning: RedisLock: the listener threw DomainException: at acquired in %s on line %d

Warning: RedisLock: the listener threw DomainException: at released in %s on line %d
LogicException: of the function
a handler that throws: the lock is held all the same
bool(true)
bool(true)
array(0) {
}
