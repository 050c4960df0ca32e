--TEST--
php-fpm: twenty requests whose leases are renewed, one after another, have one thread and one connection of it in a worker
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
require __DIR__ . '/renew.inc';
skip_without_fpm();
skip_without_proc();
?>
--FILE--
<?php
require __DIR__ . '/renew.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

$server = RedisServer::start();
$redis = $server->client();
$fpm = Fpm::start(2);
$fpm->script('work.php', '<?php
    $lock = new RedisLock($_GET["dsn"], ["expire" => 1.5, "renew" => true]);
    $before = RedisLock::stats()["renewed"];
    $lock->lock("x", 10) || print("NOT HAD");
    for ($until = microtime(true) + 5; RedisLock::stats()["renewed"] === $before && microtime(true) < $until; usleep(1000));
    echo $lock->unlock("x") ? "released" : "LOST";');
$answers = [];
for ($i = 0; $i < 20; $i++) {
    $answers[] = $fpm->get('work.php', ['dsn' => $server->dsn()]);
}
print_r(array_count_values($answers));
$threads = array_map('threads', $fpm->workers());
is_so('threads of the workers', max($threads) === 2, $threads);
is_between('connections', (int) server_info($redis, 'clients')['connected_clients'] - 1, 2, 4);
?>
--EXPECT--
Array
(
    [released] => 20
)
threads of the workers: yes
connections: yes
