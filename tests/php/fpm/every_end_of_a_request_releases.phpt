--TEST--
php-fpm: however a request ends, its lock is gone before its response is over, and its worker serves the next one
--DESCRIPTION--
Leaves memory to PHP's allocator.
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
$fpm = Fpm::start(1, [], ['memory_limit' => '16M', 'max_execution_time' => '1']);
$fpm->script('end.php', <<<'PHP'
    <?php
    $lock = new RedisLock($_GET['dsn']);
    if ($_GET['way'] === 'shutdown function') {
        register_shutdown_function(function () use ($lock) {
            exit;
        });
    }
    $section = function () {
        echo 'in the section';
        switch ($_GET['way']) {
            case 'exit':
            case 'exit in synchronized':
                exit;
            case 'exception':
            case 'exception in synchronized':
                throw new RuntimeException();
            case 'fatal error':
            case 'fatal error in synchronized':
                trigger_error('x', E_USER_ERROR);
            case 'no memory':
            case 'no memory in synchronized':
                $array = [];
                while (true) {
                    $array[] = str_repeat('x', 1000);
                }
            case 'no time':
            case 'no time in synchronized':
                while (true);
        }
    };
    if (str_contains($_GET['way'], 'synchronized')) {
        $lock->synchronized('x', $section);
    } elseif ($lock->lock('x')) {
        $section();
    }
    PHP);
$workers = $fpm->workers();
$plain = ['exit', 'exception', 'fatal error', 'no memory', 'no time'];
foreach (['the end of the script', 'shutdown function', ...$plain, ...array_map(fn ($way) => "$way in synchronized", $plain)] as $way) {
    $request = $fpm->request('end.php', ['dsn' => $server->dsn(), 'way' => $way]);
    $request->finish();
    echo "$way: ", $request->body(), ', ', json_encode(all_keys($redis)), "\n";
}
is_so('by one and the same worker', $fpm->workers() === $workers);
is_so('over one and the same connection', server_info($redis, 'clients')['connected_clients'] === '2');
?>
--EXPECT--
the end of the script: in the section, []
shutdown function: in the section, []
exit: in the section, []
exception: in the section, []
fatal error: in the section, []
no memory: in the section, []
no time: in the section, []
exit in synchronized: in the section, []
exception in synchronized: in the section, []
fatal error in synchronized: in the section, []
no memory in synchronized: in the section, []
no time in synchronized: in the section, []
by one and the same worker: yes
over one and the same connection: yes
