--TEST--
Yesterday's rights, without +client|setname: all works, without another round trip, and each process leaves one entry in ACL LOG
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/everything.inc';
require __DIR__ . '/queue_everything.inc';

$server = RedisServer::start();
$redis = $server->client();
make_user($redis, 'shop', array_diff(minimal_rights(), ['+client|setname']));
make_user($redis, 'worker', array_diff(minimal_rights(of_queue: true), ['+client|setname']));

/** What was denied to the user since the last time, by a name that all versions of the server know. */
function all_denied(RawClient $redis, string $user): string
{
    $denied = denied($redis, $user);
    return json_encode(array_combine(array_map(fn ($what) => strtok($what, '|'), array_keys($denied)), $denied));
}

// This process, over many connections: a new one for each object, a second one for a wait, that of the thread that renews.
$wire = new Wire($server);
(new RedisLock($server->dsn()))->owner('x'); // the server knows the script
$dsn = str_replace('://', '://shop:secret@', $wire->dsn());
$options = ['persistent' => false, 'auto_release' => false];
for ($i = 0; $i < 3; $i++) {
    $wire->forget();
    $lock = new RedisLock($dsn, $options);
    $results[] = $lock->owner("x$i");
    $trips[] = $wire->roundTrips();
    $names[] = count($wire->names());
    $results[] = $lock->lock("x$i", 0, 0.9, renew: true);
    $results[] = (new RedisLock($dsn, $options))->lock("x$i", 0.5);
    $results[] = $lock->unlock("x$i");
}
echo json_encode($results), "\n";
is_so('a login and a request each', $trips === [2, 2, 2], $trips);
is_so('one name', $names === [1, 0, 0], $names);
is_so('connections', count(array_filter($wire->events(), fn ($event) => $event[2] === 'open')) > 0);
echo 'denied: ', all_denied($redis, 'shop'), "\n";

// Everything, in this process and others.
echo 'fails: ', json_encode(do_everything($server, 'shop')), json_encode(do_everything_with_queues($server, 'worker')), "\n";

// A process each.
$code = '$lock = new RedisLock($argv[1], ["persistent" => false]);
    for ($i = 0; $i < 5; $i++) {
        $lock->synchronized("y", fn () => null, 5.0);
        (new RedisLock($argv[1], ["persistent" => false]))->owner("y");
    }
    echo "done\n";';
all_denied($redis, 'shop');
echo implode(Worker::runMany(3, $code, [dsn_of($server, 'shop')]));
echo 'denied: ', all_denied($redis, 'shop'), "\n";
?>
--EXPECT--
[null,true,false,true,null,true,false,true,null,true,false,true]
a login and a request each: yes
one name: yes
connections: yes
denied: {"client":1}
fails: [][]
done
done
done
denied: {"client":3}
