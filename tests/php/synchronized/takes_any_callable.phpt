--TEST--
synchronized() takes every form of callable, and calls it without arguments
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

final class Shop
{
    public function sell(): string
    {
        return 'method, ' . func_num_args() . ' arguments';
    }

    public static function stock(): string
    {
        return 'static, ' . func_num_args() . ' arguments';
    }

    public function __invoke(): string
    {
        return 'invoke, ' . func_num_args() . ' arguments';
    }
}

function plain(): string
{
    return 'function, ' . func_num_args() . ' arguments';
}

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
foreach (['plain', 'Shop::stock', ['Shop', 'stock'], [new Shop(), 'sell'], new Shop(), plain(...)] as $section) {
    var_dump($lock->synchronized('x', $section));
}
?>
--EXPECT--
string(21) "function, 0 arguments"
string(19) "static, 0 arguments"
string(19) "static, 0 arguments"
string(19) "method, 0 arguments"
string(19) "invoke, 0 arguments"
string(21) "function, 0 arguments"
