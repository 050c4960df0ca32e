--TEST--
An object of Psr\\Log\\LoggerInterface as `listener` gets a level, a message with placeholders, and a context
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

interface_exists(Psr\Log\LoggerInterface::class) || eval('namespace Psr\Log; interface LoggerInterface { public function log($level, string|\Stringable $message, array $context = []): void; }');

final class Logger implements Psr\Log\LoggerInterface
{
    public function log($level, string|\Stringable $message, array $context = []): void
    {
        $given = array_map(fn ($value) => is_float($value) ? 'float' : $value, $context);
        unset($given['server']);
        echo "$level: $message ", json_encode($given), "\n";
    }

    /** A logger may have this, and is one all the same. */
    public function __invoke(): void
    {
        echo "called as a function\n";
    }
}

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['listener' => new Logger(), 'owner' => 'me']);
$lock->lock('x');
$other = new RedisLock($server->dsn(), ['listener' => new Logger(), 'owner' => 'you']);
$other->lock('x');
$lock->unlock('x');
$lock->lock('x');
$server->client()->cmd('DEL', 'lock:x');
$lock->unlock('x');
?>
--EXPECT--
debug: The lock {name} was acquired {"event":"acquired","name":"x","seconds":"float","owner":"me"}
info: The lock {name} was held by another {"event":"waited","name":"x","seconds":"float","acquired":false,"owner":"you"}
debug: The lock {name} was released {"event":"released","name":"x","seconds":"float","owner":"me"}
debug: The lock {name} was acquired {"event":"acquired","name":"x","seconds":"float","owner":"me"}
warning: The lock {name} was lost {"event":"lost","name":"x","seconds":"float","owner":"me"}
