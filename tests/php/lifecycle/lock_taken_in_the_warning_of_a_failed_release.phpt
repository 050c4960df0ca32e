--TEST--
What an error handler does with an object whose automatic release has failed stays: a lock that it takes is released with the object
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$redis = $server->client();
$dsn = $server->dsn();

/** The locks that there are, without those under their old names, which last until their leases end. */
$taken = fn () => array_diff(all_keys($redis), ['lock:old']);

foreach (['nobody to ask' => '', 'server down' => 'unix:///nowhere'] as $what => $address) {
    foreach (['lets go of it', 'keeps it', 'keeps it, and the second release fails too'] as $then) {
        putenv("LOCK_SERVERS=$dsn");
        $lock = new RedisLock('env:LOCK_SERVERS', ['renew' => true]);
        $weak = WeakReference::create($lock);
        $lock->lock('old');
        $warnings = 0;
        set_error_handler(function () use ($weak, &$kept, &$warnings, $then, $dsn) {
            putenv("LOCK_SERVERS=$dsn");
            $warnings++;
            $object = $weak->get();
            if ($object === null) {
                return true;
            }
            $object->lock('new') || print("NOT HAD\n");
            if ($then !== 'lets go of it') {
                $kept = $object;
            }
            return true;
        });
        putenv($address === '' ? 'LOCK_SERVERS' : "LOCK_SERVERS=$address");
        $lock = null;
        if ($kept !== null) {
            echo "$what, $then: holds ", json_encode(array_keys($kept->held())), "\n";
            if ($then !== 'keeps it') {
                putenv('LOCK_SERVERS');
            }
            $kept = null;
        }
        restore_error_handler();
        echo "$what, $then: $warnings warnings, ", $taken() === [] ? 'released' : 'not released', ', ', $weak->get() === null ? 'gone' : 'STILL THERE', "\n";
        $redis->cmd('FLUSHALL');
    }
}
?>
--EXPECT--
nobody to ask, lets go of it: 1 warnings, released, gone
nobody to ask, keeps it: holds ["new"]
nobody to ask, keeps it: 1 warnings, released, gone
nobody to ask, keeps it, and the second release fails too: holds ["new"]
nobody to ask, keeps it, and the second release fails too: 2 warnings, not released, gone
server down, lets go of it: 1 warnings, released, gone
server down, keeps it: holds ["new"]
server down, keeps it: 1 warnings, released, gone
server down, keeps it, and the second release fails too: holds ["new"]
server down, keeps it, and the second release fails too: 2 warnings, not released, gone
