--TEST--
php-fpm: a worker that is replaced by another leaves no connection behind
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/fastcgi.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/fastcgi.inc';

$server = RedisServer::start();
$redis = $server->client();
$fpm = Fpm::start(2, ['pm.max_requests = 10']);
$fpm->script('pair.php', '<?php
    $lock = new RedisLock($_GET["dsn"]);
    echo getmypid(), $lock->lock("x", 10.0) && $lock->unlock("x") ? "" : " FAILED";');
$answers = [];
run_requests(
    200,
    4,
    fn ($number) => $fpm->request('pair.php', ['dsn' => $server->dsn()]),
    function ($number, $request) use (&$answers) {
        $over = $request->pump();
        if ($over) {
            $answers[] = $request->body();
        }
        return $over;
    },
);
$by = array_count_values($answers);
is_so('many workers did 10 at most', max($by) === 10 && array_sum($by) === 200 && count($by) >= 20, $by);
$connected = fn () => (int) server_info($redis, 'clients')['connected_clients'] - 1;
wait_until(fn () => $connected() <= 2);
is_between('connections of those that live', $connected(), 0, 2);
is_so('no key is left', all_keys($redis) === []);
?>
--EXPECT--
many workers did 10 at most: yes
connections of those that live: yes
no key is left: yes
