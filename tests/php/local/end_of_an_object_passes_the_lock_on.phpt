--TEST--
A lock whose object or request ends is passed on to the next worker in line here; with auto_release off it stays
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$redis = $server->client();
$machine = new Machine($server->dsn());

$worker = $machine->worker();
$ends = [
    'object gone' => ['true', 'unset($lock); echo json_encode(RedisLock::stats()["passed_on"]), "\n"; fgets(STDIN);'],
    'end of the script' => ['true', ''],
    'end of the request' => ['"request"', 'unset($lock);'],
    'exit' => ['true', 'exit(0);'],
    'uncaught exception' => ['true', 'throw new Exception("thrown");'],
    'unlockAll' => ['false', '$lock->unlockAll(); echo json_encode(RedisLock::stats()["passed_on"]), "\n";'],
    'none' => ['false', ''],
];
foreach ($ends as $label => [$release, $end]) {
    $holder = $machine->run('
        $lock = new RedisLock($argv[1], ["auto_release" => ' . $release . ', "expire" => ' . slow(1.0) . ']);
        echo json_encode($lock->lock("x")), "\n";
        fgets(STDIN);
        register_shutdown_function(function () {
            echo "shutdown\n";
        });
        ' . $end);
    echo "$label: ", $holder->readLine();
    $taken = now();
    $machine->lineUp([$worker], 'x', PATIENCE, 0.0, slow(1.0));
    $requests = command_calls($redis)['evalsha'] ?? 0;
    $holder->tell('end');
    $answer = $worker->answer();
    $label !== 'object gone' || $holder->tell('now');
    echo ' ', preg_replace(['/\s+/', '/ PHP .*|Fatal error.*(?=shutdown)/'], [' ', ''], $holder->output()), json_encode($answer['result']['released']), "\n";
    $after = $answer['result']['from'] - $taken;
    $label === 'none' ? took_between('after the lease', $after, 0.9 * slow(1.0), slow(1.0) + 0.5) : is_so('before the end of the lease', $after < 0.9 * slow(1.0), $after);
    print_r(all_keys($redis));
}
?>
--EXPECT--
object gone: true 1 shutdown true
before the end of the lease: yes
Array
(
)
end of the script: true shutdown true
before the end of the lease: yes
Array
(
)
end of the request: true shutdown true
before the end of the lease: yes
Array
(
)
exit: true shutdown true
before the end of the lease: yes
Array
(
)
uncaught exception: true  shutdown true
before the end of the lease: yes
Array
(
)
unlockAll: true 1 shutdown true
before the end of the lease: yes
Array
(
)
none: true shutdown true
after the lease: yes
Array
(
)
