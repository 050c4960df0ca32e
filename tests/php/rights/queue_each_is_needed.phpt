--TEST--
A queue's user: with the documented rights everything works; without any one of them the server denies something
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/queue_everything.inc';

$server = RedisServer::start();
$redis = $server->client();

make_user($redis, 'shop', minimal_rights(of_queue: true));
is_so('all of them: nothing fails', ($refused = do_everything_with_queues($server, 'shop')) === [], $refused);
is_so('all of them: nothing is denied', ($denied = denied($redis, 'shop')) === [], $denied);

// +role is for Sentinel, which sentinel.phpt looks at; +asking and +cluster|slots are for clusters, which cluster.phpt does.
// Without +client|setname nothing fails: see without_the_right_to_a_name.phpt.
foreach (preg_grep('/^\+(?!role$|asking$|cluster\||client\|)/', minimal_rights(of_queue: true)) as $i => $right) {
    make_user($redis, "shop$i", array_diff(minimal_rights(of_queue: true), [$right]));
    $refused = do_everything_with_queues($server, "shop$i");
    $denied = denied($redis, "shop$i");
    $command = substr($right, 1);
    if (!$refused) {
        echo "without $right nothing fails\n";
    }
    if (array_keys($denied) !== [$command]) {
        echo "without $right it is not that what is denied: ", json_encode($denied), json_encode($refused), "\n";
    }
}
echo "done\n";
?>
--EXPECT--
all of them: nothing fails: yes
all of them: nothing is denied: yes
done
