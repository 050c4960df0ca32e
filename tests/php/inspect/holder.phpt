--TEST--
holder() tells who holds the lock, since when, for how long, whether it is renewed, and how many wait
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$a = new RedisLock($server->dsn(), ['owner' => 'web-1:4711 import']);
$b = new RedisLock($server->dsn());

function show(?array $holder): void
{
    global $from;
    if ($holder !== null) {
        $holder['since'] = $holder['since'] >= floor($from * 1000) / 1000 && $holder['since'] <= microtime(true) ? 'in this test' : $holder['since'];
        $holder['lease'] = is_infinite($holder['lease']) ? $holder['lease'] : ceil($holder['lease'] / 10) * 10;
    }
    var_dump($holder);
}

show($b->holder('x'));
$from = microtime(true);
$a->lock('x', expire: 30);
show($b->holder('x'));
$a->lock('renewed', expire: 30, renew: true);
is_so('renewed', $b->holder('renewed')['renewed'] === true);
$a->lock('endless', expire: INF);
is_so('without end', $b->holder('endless')['lease'] === INF);

$worker = Worker::start('
    $lock = new RedisLock($argv[1]);
    var_dump($lock->lock("x", timeout: 20) && $lock->unlock("x"));
', [$server->dsn()]);
is_so('1 waits', wait_until(fn () => $b->holder('x')['waiters'] === 1), $b->holder('x'));
is_so('what it tells is no token', !in_array($a->token('x'), $b->holder('x'), true));
$a->unlock('x');
echo $worker->output();
$a->unlockAll();
var_dump($b->holder('x'), all_keys($redis));
?>
--EXPECT--
NULL
array(5) {
  ["owner"]=>
  string(17) "web-1:4711 import"
  ["since"]=>
  string(12) "in this test"
  ["lease"]=>
  float(30)
  ["renewed"]=>
  bool(false)
  ["waiters"]=>
  int(0)
}
renewed: yes
without end: yes
1 waits: yes
what it tells is no token: yes
bool(true)
NULL
array(0) {
}
