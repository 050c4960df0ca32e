--TEST--
Too few servers: the exception says so, and what was wrong with one of them, and no secret
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/ring.inc';

$ring = new Ring(5);
$addresses = array_map(fn ($server) => $server->address(), $ring->servers);
$dsns = array_map(fn ($dsn) => str_replace('://', '://someone:s3cret@', $dsn), $ring->dsns());
$plain = new RedisLock($ring->dsns(), ['connect_timeout' => 0.3, 'read_timeout' => 0.3]);
$secret = new RedisLock($dsns, ['connect_timeout' => 1.0]);

echo "The login is refused by all:\n";
$refused = thrown(fn () => $secret->lock('x'));
has_no_secret('it', shown($refused), 's3cret', 'someone');
is_so('server', $refused->server === implode(', ', $addresses), $refused->server);
var_dump($refused->lockName, $refused->redisError);

$ring[0]->kill();
$ring[1]->kill();
is_so('three of five are enough', $plain->lock('x') && $plain->expire('x') && $plain->isLocking('x') && $plain->unlock('x'));

echo "Two are not:\n";
var_dump($plain->lock('y'));
$ring[2]->kill();
foreach (['lock' => ['x'], 'expire' => ['y'], 'isLocking' => ['y'], 'unlock' => ['y'], 'owner' => ['x'], 'waiters' => ['x'], 'forceUnlock' => ['x'], 'attach' => ['x', 'token']] as $method => $args) {
    try {
        echo "$method: ", var_export($plain->$method(...$args), true), "\n";
    } catch (RedisLockConnectionException $e) {
        echo str_replace($addresses, 'S', $e->getMessage()), "\n";
    }
}
?>
--EXPECTF--
The login is refused by all:
RedisLockConnectionException: %s: too few of 5 servers answered; unix://%s: the login was refused (WRONGPASS) (lock "x")
it: no secret
server: yes
string(1) "x"
string(9) "WRONGPASS"
three of five are enough: yes
Two are not:
bool(true)
lock: S, S, S, S, S: too few of 5 servers answered; S: Connection refused (lock "x")
expire: S, S, S, S, S: too few of 5 servers answered; S: Connection refused (lock "y")
isLocking: S, S, S, S, S: too few of 5 servers answered; S: Connection refused (lock "y")
unlock: S, S, S, S, S: too few of 5 servers answered; S: Connection refused (lock "y")
owner: S, S, S, S, S: too few of 5 servers answered; S: Connection refused (lock "x")
waiters: S, S, S, S, S: too few of 5 servers answered; S: Connection refused (lock "x")
forceUnlock: S, S, S, S, S: too few of 5 servers answered; S: Connection refused (lock "x")
attach: S, S, S, S, S: too few of 5 servers answered; S: Connection refused (lock "x")
