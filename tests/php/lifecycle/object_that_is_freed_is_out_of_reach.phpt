--TEST--
Code that runs while an object is freed cannot use it any more, whatever refers to it, and no lock stays behind
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

/** Looks from its destructor for the object that is being freed. */
final class Looker
{
    public ?WeakReference $weak = null;

    public function __construct(private Closure $act)
    {
    }

    public function __destruct()
    {
        $lock = $this->weak?->get();
        if ($lock === null) {
            echo "out of reach\n";
        } else {
            thrown(fn () => ($this->act)($lock));
        }
    }
}

class Lock extends RedisLock
{
    public ?Looker $looker = null;
}

$places = [
    'bound by the function' => function (Looker $looker, array $options) use ($dsn) {
        return new Lock($dsn, $options + ['on_loss' => function () use ($looker) {
        }]);
    },
    'a property' => function (Looker $looker, array $options) use ($dsn) {
        $lock = new Lock($dsn, $options);
        $lock->looker = $looker;
        return $lock;
    },
    'in a WeakMap' => function (Looker $looker, array $options) use ($dsn) {
        $lock = new Lock($dsn, $options);
        $GLOBALS['map'] = new WeakMap();
        $GLOBALS['map'][$lock] = $looker;
        return $lock;
    },
];
$acts = [
    'lock()' => fn ($lock) => $lock->lock('y', expire: 0.3, renew: true),
    'held()' => fn ($lock) => $lock->held(),
    '__construct()' => function ($lock) use ($dsn) {
        $lock->__construct($dsn, ['expire' => 0.3, 'renew' => true]);
        return $lock->lock('y');
    },
];
foreach ($places as $place => $make) {
    foreach ([true, false, 'request'] as $auto_release) {
        foreach ($acts as $what => $act) {
            foreach ([false, true] as $holds) {
                $looker = new Looker($act);
                $lock = $make($looker, ['auto_release' => $auto_release, 'expire' => 0.3, 'renew' => true]);
                $looker->weak = WeakReference::create($lock);
                unset($looker);
                $holds && $lock->lock('x');
                ob_start();
                $lock = null;
                $seen[$place][ob_get_clean()] = true;
                if (!wait_until(fn () => all_keys($redis) === [], 10)) {
                    echo "$place, $what, ", json_encode([$auto_release, $holds]), ": STAYS ", json_encode(all_keys($redis)), "\n";
                    $redis->cmd('FLUSHALL');
                }
            }
        }
    }
    echo "$place:\n", implode(array_keys($seen[$place]));
}
?>
--EXPECT--
bound by the function:
out of reach
a property:
out of reach
in a WeakMap:
Error: Lock is already destroyed
