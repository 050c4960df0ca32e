--TEST--
Row B: lock($name) waited up to 5 s; the option timeout keeps that
--EXTENSIONS--
redislock
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/server.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn(), ['prefix' => 'TEST_LOCK', 'timeout' => 5, 'auto_release' => false]);

$holder = Worker::start(
    'require $argv[1] . "/old_token_lock.inc";
    $old = new OldTokenLock(new RawClient($argv[2]));
    echo "old\n";
    $id = $old->lock("account:1", 20);
    echo "has it\n";
    fgets(STDIN);
    usleep(500000);
    $old->unlock("account:1", $id);
    fgets(STDIN);
    $old->lock("account:1", 20);
    echo "has it\n";
    fgets(STDIN);',
    [__DIR__, $server->addressOf('TEST_LOCKaccount:1')],
);
echo $holder->readLine(), ' ', $holder->readLine(), "\n";
$holder->tell('let go');
$taken = null;
$took = seconds(function () use ($lock, &$taken) {
    $taken = $lock->lock('account:1');
});
is_so('ours got it after the old one', $taken);
took_between('when the old one let go', $took, 0.3, 1.0);
$lock->unlock('account:1');

$holder->tell('again');
echo 'old ', $holder->readLine(), "\n";
$took = seconds(function () use ($lock, &$taken) {
    $taken = $lock->lock('account:1');
});
is_so('while the old one holds on: false', $taken === false);
took_between('after 5 s', $took, 4.99, 5.15);
?>
--EXPECT--
old has it
ours got it after the old one: yes
when the old one let go: yes
old has it
while the old one holds on: false: yes
after 5 s: yes
