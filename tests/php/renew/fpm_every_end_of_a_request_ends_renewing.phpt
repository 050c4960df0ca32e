--TEST--
php-fpm: however a request ends, nothing that it held is renewed any more, though its worker and the thread live on
--DESCRIPTION--
Leaves memory to PHP's allocator.
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
require __DIR__ . '/../lifecycle/ends.inc';

$server = RedisServer::start();
$redis = $server->client();
$fpm = Fpm::start(1, ini: ['memory_limit' => '16M']);
$options = ['true' => true, 'false' => false, '"request"' => 'request'];
$kept = [];
foreach (ENDS as $way => $code) {
    foreach ($options as $label => $auto_release) {
        $name = "$way $label";
        if ($way === 'max_execution_time' && $auto_release !== false) {
            continue; // it takes a second
        }
        $fpm->script('end.php', '<?php
            $lock = new RedisLock($_GET["dsn"], ["expire" => 1.5, "renew" => true, "auto_release" => json_decode($_GET["auto_release"])]);
            echo $lock->lock($_GET["name"]) ? "held" : "NOT HELD", " by ", getmypid();
            ' . $code);
        $body = $fpm->get('end.php', ['dsn' => $server->dsn(), 'auto_release' => $label, 'name' => $name]);
        str_starts_with($body, 'held by ') || print("$name: $body\n");
        if ($auto_release === false) {
            $kept[] = $name;
        } elseif ($redis->cmd('EXISTS', "lock:$name")) {
            echo "$name: NOT RELEASED\n";
        }
        $pids[strstr($body, ' by ')] = true;
    }
}
echo 'kept: ', count($kept), ', by one worker: ', count($pids), "\n";
is_so('all gone with their leases', wait_until(fn () => all_keys($redis) === [], 3));
is_so('nothing more is sent', is_quiet($redis, 1.0));
echo 'its threads: ', threads($fpm->workers()[0]), "\n";
?>
--EXPECT--
kept: 9, by one worker: 1
all gone with their leases: yes
nothing more is sent: yes
its threads: 2
