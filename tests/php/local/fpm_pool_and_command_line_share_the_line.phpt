--TEST--
Workers of a PHP-FPM pool and of the command line, of one user, pass a lock on to each other
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/local.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());
$fpm = Fpm::start(4, [], ['redislock.shared_memory' => $machine->folder, 'redislock.local' => '1', 'redislock.expire' => (string) LEASE]);
$fpm->script('turn.php', '<?php
    $now = fn () => hrtime(true) / 1e9;
    $lock = new RedisLock($_GET["dsn"]);
    $before = RedisLock::stats()["passed_on"];
    $turn = ["got" => $lock->lock("x", 20.0), "from" => $now()];
    usleep(5000);
    $turn["until"] = $now();
    echo json_encode($turn + ["released" => $lock->unlock("x"), "passed" => RedisLock::stats()["passed_on"] - $before]);');
$workers = $machine->workers(3);
$machine->warmUp($workers);
for ($round = 1; $round <= 3; $round++) {
    $before = passed_on($workers);
    $workers[0]->call('lock', 'x');
    $requests = [];
    foreach ([0, 1] as $i) {
        $waiting = $machine->waiting();
        $requests[] = $fpm->request('turn.php', ['dsn' => $server->dsn()]);
        $machine->awaitWaiting($waiting + 1);
        $requests[] = $fpm->request('turn.php', ['dsn' => $server->dsn()]);
        $machine->awaitWaiting($waiting + 2);
        $machine->lineUp([$workers[1 + $i]], 'x', PATIENCE, 0.005);
    }
    var_dump($workers[0]->call('unlock', 'x'));
    $of_fpm = [];
    foreach ($requests as $request) {
        $request->finish();
        $of_fpm[] = json_decode($request->body(), true);
    }
    $of_cli = array_map(fn ($worker) => $worker->answer()['result'], [$workers[1], $workers[2]]);
    $turns = [$of_fpm[0], $of_fpm[1], $of_cli[0], $of_fpm[2], $of_fpm[3], $of_cli[1]];
    is_so('each had its turn', count(array_filter(array_column($turns, 'released'))) === 6, $turns);
    $from = array_column($turns, 'from');
    $sorted = $from;
    sort($sorted);
    is_so('in the order of arrival', $from === $sorted, $turns);
    is_safe('one after another', overlaps($turns) === 0, $turns);
    is_so('each was passed on', array_sum(array_column($of_fpm, 'passed')) + passed_on($workers) - $before === 6, [$of_fpm, passed_on($workers) - $before]);
}
print_r(all_keys($redis));
?>
--EXPECT--
bool(true)
each had its turn: yes
in the order of arrival: yes
one after another: yes
each was passed on: yes
bool(true)
each had its turn: yes
in the order of arrival: yes
one after another: yes
each was passed on: yes
bool(true)
each had its turn: yes
in the order of arrival: yes
one after another: yes
each was passed on: yes
Array
(
)
