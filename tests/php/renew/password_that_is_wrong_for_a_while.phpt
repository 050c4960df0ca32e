--TEST--
A password that is wrong for a while: renewing is tried until the lease ends, and goes on when the password is right again
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';

$server = RedisServer::start(['user worker on >first ~* &* +@all'], tcp: true);
$redis = $server->client();
$lock = new RedisLock($server->tcpDsn('worker:first'), ['expire' => 2, 'renew' => true]);
$lock->lock('x');
$change = fn (string $from, string $to) => $redis->cmd('ACL', 'SETUSER', 'worker', "<$from", ">$to") . $redis->cmd('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
await_renewed();
$failures = fn () => RedisLock::stats()['renewal_failures'];
$before = $failures();
$change('first', 'second');
is_so('it fails again and again', wait_until(fn () => $failures() >= $before + 2, 5));
$change('second', 'first');
is_so('and goes on', await_renewed(2));
is_so('never lost', $redis->cmd('GET', 'lock:x') === $lock->token('x'));

$change('first', 'second');
is_so('lost when the lease ends', wait_until(fn () => $lock->remaining('x') === 0.0, 5));
$e = thrown(fn () => $lock->unlock('x'));
has_no_secret('the exception', shown($e), 'first', 'second');
?>
--EXPECTF--
it fails again and again: yes
and goes on: yes
never lost: yes
lost when the lease ends: yes
RedisLockConnectionException: redis://127.0.0.1:%d/0: the login was refused (WRONGPASS) (lock "x")
the exception: no secret
