--TEST--
php-fpm: a worker keeps its connection from one request to the next, and with persistent => false it does not
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
$fpm = Fpm::start(2);
$fpm->script('pair.php', '<?php
    $lock = new RedisLock($_GET["dsn"], ["persistent" => (bool) $_GET["persistent"]]);
    echo json_encode([$lock->lock($_GET["name"]), $lock->unlock($_GET["name"])]);');
foreach ([1, 0] as $persistent) {
    $redis->cmd('CONFIG', 'RESETSTAT');
    $answers = [];
    run_requests(
        200,
        4,
        fn ($number) => $fpm->request('pair.php', ['dsn' => $server->dsn(), 'persistent' => $persistent, 'name' => "n$number"]),
        function ($number, $request) use (&$answers) {
            $over = $request->pump();
            if ($over) {
                $answers[] = $request->body();
            }
            return $over;
        },
    );
    is_so('200 took their lock and released it', $answers === array_fill(0, 200, '[true,true]'), array_count_values($answers));
    echo 'connections made: ';
    $made = (int) server_info($redis, 'stats')['total_connections_received'];
    echo $persistent ? ($made >= 1 && $made <= 2 ? 'one a worker' : $made) : $made, "\n";
}
?>
--EXPECT--
200 took their lock and released it: yes
connections made: one a worker
200 took their lock and released it: yes
connections made: 200
