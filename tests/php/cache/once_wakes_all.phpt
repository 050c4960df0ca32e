--TEST--
once(): when it is built, all who wait read it, without a turn of their own
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/guard.inc';

const CODE = '
    $lock = new RedisLock($argv[1]);
    echo $lock->once("o", fn () => @file_get_contents($argv[2]) ?: null, function () use ($argv) {
        echo "builds\n";
        $value = trim(fgets(STDIN));
        if ($value === "") {
            throw new DomainException("no value");
        }
        file_put_contents($argv[2], $value);
        return $value;
    }, 200), "\n";
';
$server = RedisServer::start();
$redis = $server->client();
$file = $server->folder() . '/value';
$builder = Worker::start(CODE, [$server->dsn(), $file]);
echo $builder->readLine(), "\n";
$waiters = [];
for ($i = 0; $i < 6; $i++) {
    $waiters[] = Worker::start(CODE, [$server->dsn(), $file]);
    await_blocked($redis, $i + 1, slow(10));
}
$builder->tell('');
is_so('it failed', str_contains($builder->output(), 'DomainException: no value'));
$turn = Worker::firstToPrint($waiters); // where they are slow to begin, this is not always the one that came first
[$next] = array_splice($waiters, $turn, 1);
echo $next->readLine(), "\n";
is_so('the others wait', blocked($redis) === 5);
$next->tell('the value');
echo $next->output(), implode(' ', array_unique(array_map(fn ($waiter) => trim($waiter->output()), $waiters))), "\n";
var_dump(all_keys($redis));
?>
--EXPECT--
builds
it failed: yes
builds
the others wait: yes
the value
the value
array(0) {
}
