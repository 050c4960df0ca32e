--TEST--
A fork while connected by TLS: the child locks over a session of its own, and its end leaves the parent's session and locks alone
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl');
?>
--FILE--
<?php
require __DIR__ . '/tls.inc';
require __DIR__ . '/../lifecycle/fork.inc';

$tls = TlsServer::start();
$redis = $tls->server->client();
foreach ([true, false] as $persistent) {
    $lock = new RedisLock($tls->dsn(), ['persistent' => $persistent, 'tls' => ['cafile' => $tls->authority]]);
    $lock->lock('x');
    $parents = client_ids($redis);
    in_a_fork(fn () => null); // one that ends without a call
    in_a_fork(function () use ($lock) {
        $own = $lock->lock('y');
        echo 'the child has its own: ', json_encode([$own, $lock->lock('x'), $lock->unlock('x'), $lock->unlock('y')]), "\n";
        $lock->lock('z'); // goes with the child
    });
    wait_until(fn () => client_ids($redis) === $parents);
    is_so('the parent has its session still', client_ids($redis) === $parents, [client_ids($redis), $parents]);
    echo 'and its lock: ', json_encode([$lock->isLocking('x'), $lock->owner('z'), $lock->unlock('x')]), "\n";
    is_so('over the same session', client_ids($redis) === $parents);
    unset($lock);
}
?>
--EXPECT--
the child has its own: [true,false,false,true]
the parent has its session still: yes
and its lock: [true,null,true]
over the same session: yes
the child has its own: [true,false,false,true]
the parent has its session still: yes
and its lock: [true,null,true]
over the same session: yes
