--TEST--
A subclass with members of its own works like the class
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

final class ShopLock extends RedisLock
{
    public int $taken = 0;

    public function __construct(string $server, private string $shop)
    {
        parent::__construct($server, ['prefix' => "$shop:"]);
    }

    public function lock(string $name, ?float $timeout = null, ?float $expire = null, ?string $token = null, ?bool $renew = null): bool
    {
        $this->taken++;
        return parent::lock($name, $timeout, $expire, $token, $renew);
    }
}

$server = RedisServer::start();
$lock = new ShopLock($server->dsn(), 'paris');
var_dump($lock->lock('x'), $lock->taken, all_keys($server->client()), $lock->synchronized('y', fn () => 'section'));
?>
--EXPECT--
bool(true)
int(1)
array(1) {
  [0]=>
  string(7) "paris:x"
}
string(7) "section"
