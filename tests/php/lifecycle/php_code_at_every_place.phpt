--TEST--
PHP code that runs within the extension may throw, exit, fail, drop the object, use it, or be left behind: nothing crashes or stays
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

/** Runs in a process of its own: $argv is DSN, address, place, act. */
const SETTING = <<<'PHP'
    require $argv[5];
    [, $dsn, $address, $place, $act] = $argv;
    $options = ['expire' => 1.5, 'renew' => true, 'auto_release' => true];
    $lock = new RedisLock($dsn, $options);
    $weak = WeakReference::create($lock);
    $reached = 0;

    /** Makes this the object with which the code works that runs within the extension. */
    function mind(RedisLock $lock): RedisLock
    {
        $GLOBALS['weak'] = WeakReference::create($lock);
        return $lock;
    }

    /** What that code does. */
    function act(): void
    {
        global $act, $reached, $weak;
        if ($reached++ > 0) {
            return;
        }
        $GLOBALS['o'] = null;
        if ($act === 'throws') {
            throw new DomainException('thrown');
        } elseif ($act === 'exits') {
            exit;
        } elseif ($act === 'fails') {
            restore_error_handler();
            trigger_error('fatal', E_USER_ERROR);
        } elseif ($act === 'drops') {
            $GLOBALS['lock'] = $GLOBALS['other'] = $GLOBALS['made'] = null;
        } elseif ($act === 'is left') {
            try {
                Fiber::getCurrent() && Fiber::suspend();
            } catch (FiberError) {
                // not everywhere can a fiber be suspended
            }
        } elseif ($weak->get() !== null) {
            try {
                work_with($weak->get());
            } catch (RedisLockException) {
            } catch (Error $e) {
                preg_match('/is already (constructed|destroyed)$|__construct\(\) was not called/', $e->getMessage()) || throw $e;
            }
        }
        gc_collect_cycles();
    }

    function work_with(RedisLock $lock): void
    {
        global $act, $dsn, $options;
        if ($act === 'unlocks') {
            $lock->unlockAll();
        } elseif ($act === 'takes anew') {
            $lock->unlockAll();
            $lock->lock('x', renew: true);
        } elseif ($act === 'forces') {
            (new RedisLock($dsn))->forceUnlock('x');
        } elseif ($act === 'constructs') {
            $lock->__construct($dsn, $options);
            $lock->lock('x');
        } elseif ($act === 'nests') {
            $lock->synchronized('nested', fn () => $lock->held());
            $lock->remember('nested', fn () => 1, 1);
            $lock->forget('nested');
        }
    }

    /** Goes away with act(). */
    final class Goes
    {
        private string $kept = 'kept';

        public function go(): mixed
        {
            return $this->kept === 'kept' ? null : throw new Error('it was freed');
        }
    }

    final class Actor
    {
        public function __destruct()
        {
            act();
        }
    }

    class Value
    {
        public function __construct(private string $at)
        {
        }

        public function __serialize(): array
        {
            $this->at === '__serialize' && act();
            return ['at' => $this->at];
        }

        public function __unserialize(array $data): void
        {
            $this->at = $data['at'];
            $this->at === '__unserialize' && act();
        }

        public function __destruct()
        {
            $this->at === 'a copy' && act();
        }
    }

    class Subclass extends RedisLock
    {
        public mixed $kept = null;

        public function __destruct()
        {
            $GLOBALS['place'] === '__destruct' && act();
        }
    }

    class Name
    {
        public function __toString(): string
        {
            act();
            return 'x';
        }
    }

    /** An object whose listener acts when it hears this event. */
    function listened(string $event, array $more = []): RedisLock
    {
        global $dsn, $options;
        return mind(new RedisLock($dsn, $more + ['listener' => fn (string $heard) => $heard === $event && act()] + $options));
    }

    /** Has a signal handler act soon. Another object holds the lock "held" for a while. */
    function soon(): void
    {
        global $other, $dsn;
        $other = new RedisLock($dsn, ['expire' => 1.5]);
        $other->lock('held');
        pcntl_async_signals(true);
        pcntl_signal(SIGALRM, function () {
            act();
        });
        pcntl_alarm(1);
    }

    function compute(callable $until): void
    {
        for ($end = microtime(true) + 10; microtime(true) < $end && !$until(););
    }

    register_shutdown_function(function () use ($address, $act) {
        global $lock, $other, $made, $fiber, $reached;
        $lock = $other = $made = $fiber = null;
        gc_collect_cycles();
        $redis = new RawClient($address);
        $locks = fn () => preg_grep('/^lock:/', all_keys($redis));
        for ($end = microtime(true) + 10; $act !== 'fails' && $locks() !== [] && microtime(true) < $end; usleep(10000));
        echo $reached ? '' : 'NOT REACHED ', error_reporting() === E_ALL ? '' : 'MUTED ', $locks() === [] || $act === 'fails' ? 'good' : 'STAYS';
    });
    set_error_handler(function (int $level, string $message) {
        str_starts_with($GLOBALS['place'], 'a warning') && act();
        return true;
    });
    $run = function () {
        global $lock, $made, $dsn, $options, $place, $argv;
        try {
            try {
                eval($argv[6]);
            } catch (RedisLockException | RedisQueueException) {
                // what it holds is freed here, and a destructor may throw
            }
        } catch (DomainException | ValueError) {
        } catch (Error $e) {
            preg_match('/is already constructed|must be a valid callback/', $e->getMessage()) || throw $e;
        }
    };
    if ($act === 'is left') {
        $fiber = new Fiber($run);
        $fiber->start();
    } else {
        $run();
    }
    PHP;

$places = [
    'an autoloader in the constructor' => 'spl_autoload_register(function ($class) { act(); eval("class $class { static function f() {} }"); });
        $made = mind((new ReflectionClass(RedisLock::class))->newInstanceWithoutConstructor());
        $made->__construct($dsn, $options + ["on_loss" => "Missing::f"]); $made?->lock("x");',
    'on_loss' => '$made = mind(new RedisLock($dsn, ["on_loss" => function () { act(); }] + $options)); $made->lock("x");
        (new RedisLock($dsn))->forceUnlock("x"); compute(fn () => $GLOBALS["reached"]);',
    'a warning past max_hold' => '$made = mind(new RedisLock($dsn, ["max_hold" => 0.1] + $options)); $made->lock("x"); compute(fn () => $GLOBALS["reached"]);',
    'a warning of a release that failed' => 'putenv("T=$dsn"); $made = mind(new Subclass("env:T", $options)); $made->lock("x"); putenv("T"); $made = null;',
    'a warning that a value is not kept' => '$lock->remember("x", fn () => fopen("php://memory", "r"), 5);',
    'a warning of an argument' => '$lock->lock(null); $lock->unlock("x");',
    'a warning of an argument behind a callable' => 'global $o; $o = new Goes(); $lock->remember("x", [&$o, "go"], 5, 1, null);',
    'an autoloader of a callable' => 'spl_autoload_register(function ($class) { act(); eval("class $class { static function f() { return 1; } }"); });
        global $o; $o = new Goes(); $lock->once("x", [&$o, "go"], "Missing::f");',
    '__toString' => '$lock->lock(new Name()); $lock?->unlock("x");',
    'a wait in lock()' => 'soon(); $lock->lock("held", 5);',
    'a wait in lockAll()' => 'soon(); $lock->lockAll(["x", "held"], 5);',
    'a wait in synchronized()' => 'soon(); $lock->synchronized("held", fn () => 1, 5);',
    'a wait in remember()' => 'soon(); $lock->remember("held", fn () => 1, 5, 5);',
    'a wait in once()' => 'soon(); $lock->once("held", fn () => null, fn () => 1, 5);',
    'a wait in pop()' => 'soon(); $made = new RedisQueue($dsn); $made->pop("q", 1, 2);',
    'a section' => '$lock->synchronized("x", function () { act(); });',
    '$rebuild of remember()' => '$lock->remember("x", function () { act(); return 1; }, 5);',
    '$read of once()' => '$lock->once("x", function () { act(); }, fn () => 1);',
    '$rebuild of once()' => '$lock->once("x", fn () => null, function () { act(); return 1; });',
    '__serialize' => '$lock->remember("x", fn () => new Value($place), 5, allowedClasses: ["Value"]);',
    '__unserialize' => '$lock->remember("x", fn () => new Value($place), 5, allowedClasses: ["Value"]);',
    'a copy' => '$lock->remember("x", fn () => new Value($place), 5, allowedClasses: ["Value"]);',
    'an autoloader at a value' => 'spl_autoload_register(function ($class) { act(); eval("class $class {}"); });
        (new RawClient($argv[2]))->cmd("SET", "{lock:x}:rl:value", base64_decode($argv[7])); $lock->remember("x", fn () => 1, 5, allowedClasses: ["Absent"]);',
    'a result that is dropped' => '$lock->synchronized("x", function () { (new RedisLock($GLOBALS["dsn"]))->forceUnlock("x"); return new Actor(); });',
    'what on_loss has bound' => '$actor = new Actor(); $made = mind(new RedisLock($dsn, ["on_loss" => function () use ($actor) {}] + $options));
        unset($actor); $made->lock("x"); $made = null;',
    'a listener at lock()' => '$made = listened("acquired"); $made->lock("x"); $made?->unlock("x");',
    'a listener at lockAll()' => '$made = listened("acquired"); $made->lockAll(["x", "y"]); $made?->unlockAll();',
    'a listener at unlock()' => '$made = listened("released"); $made->lock("x"); $made->unlock("x");',
    'a listener at unlockAll()' => '$made = listened("released"); $made->lock("x"); $made->unlockAll();',
    'a listener at forceUnlock()' => '$made = listened("released"); $made->lock("x"); $made->forceUnlock("x");',
    'a listener at attach()' => '$made = listened("acquired"); $lock->lock("x"); $made->attach("x", $lock->token("x")); $made?->unlock("x");',
    'a listener at a wait in vain' => '$made = listened("waited"); $lock->lock("x"); $made->lock("x", 0.1);',
    'a listener at isLocking()' => '$made = listened("lost"); $made->lock("x"); (new RedisLock($dsn))->forceUnlock("x"); $made->isLocking("x");',
    'a listener at expire()' => '$made = listened("lost"); $made->lock("x", renew: false); (new RedisLock($dsn))->forceUnlock("x"); $made->expire("x", 1);',
    'a listener before a section' => '$made = listened("acquired"); $made->synchronized("x", fn () => 1);',
    'a listener behind a section' => '$made = listened("released"); $made->synchronized("x", fn () => 1);',
    'a listener behind a section that throws' => '$made = listened("released"); $made->synchronized("x", fn () => throw new DomainException());',
    'a listener at remember()' => '$made = listened("acquired"); $made->remember("x", fn () => 1, 5);',
    'a listener at once()' => '$made = listened("released"); $made->once("x", fn () => null, fn () => 1);',
    'a listener at a loss' => '$made = listened("lost"); $made->lock("x"); (new RedisLock($dsn))->forceUnlock("x"); compute(fn () => $GLOBALS["reached"]);',
    'a listener at a loss that is thrown' => '$made = listened("lost", ["on_loss" => "throw"]); $made->lock("x"); (new RedisLock($dsn))->forceUnlock("x"); compute(fn () => $GLOBALS["reached"]);',
    'a listener when the object goes' => '$made = listened("released"); $made->lock("x"); $made = null;',
    'a listener while an exception goes' => '(function () { $object = listened("released"); $object->lock("x"); throw new DomainException(); })();',
    'what a listener has bound' => '$actor = new Actor(); $made = mind(new RedisLock($dsn, ["listener" => function () use ($actor) {}] + $options));
        unset($actor); $made->lock("x"); $made = null;',
    'a property' => '$made = mind(new Subclass($dsn, $options)); $made->kept = new Actor(); $made->lock("x"); $made = null;',
    'a WeakMap' => '$made = mind(new Subclass($dsn, $options)); $map = new WeakMap(); $map[$made] = new Actor(); $made->lock("x"); $made = null;',
    'a cycle' => '$made = mind(new Subclass($dsn, $options)); $made->kept = [$made, new Actor()]; $made->lock("x"); $made = null; gc_collect_cycles();',
    '__destruct' => '$made = mind(new Subclass($dsn, $options)); $made->lock("x"); $made = null;',
];
$acts = ['throws', 'exits', 'fails', 'drops', 'unlocks', 'takes anew', 'forces', 'constructs', 'nests', 'is left'];

// A value of a class that the processes do not have yet.
$server = RedisServer::start();
eval('class Absent {}');
(new RedisLock($server->dsn()))->remember('x', fn () => new Absent(), 1000, allowedClasses: ['Absent']);
$kept = $server->client()->cmd('GET', '{lock:x}:rl:value');

$count = 0;
foreach (array_chunk($acts, under_valgrind() ? 1 : 10) as $some) {
    foreach ($places as $place => $code) {
        $workers = [];
        foreach ($some as $i => $act) {
            $servers[$i] ??= RedisServer::start();
            $servers[$i]->client()->cmd('FLUSHALL');
            $address = "unix://{$servers[$i]->socket()}";
            $workers[$act] = Worker::start(SETTING, [$servers[$i]->dsn(), $address, $place, $act, __DIR__ . '/../inc/client.inc', $code, base64_encode($kept)]);
        }
        foreach ($workers as $act => $worker) {
            $out = $worker->output();
            $status = $worker->wait();
            if ($act === 'fails') {
                $out = preg_replace('/^\s*Fatal error: fatal in .* on line \d+\s*/', '', $out);
            }
            $redis = $servers[array_search($act, $some, true)]->client();
            $locks = fn () => array_values(preg_grep('/^lock:/', all_keys($redis)));
            // A release that failed leaves its lock to the lease, which nobody renews any more.
            if ($out !== 'good' || !in_array($status, [0, 255], true) || !wait_until(fn () => $locks() === [], 10)) {
                echo "$place, $act: status $status, $out, ", json_encode($locks()), "\n";
            }
            $count++;
        }
    }
}
echo $count === count($places) * count($acts) ? "all\n" : "$count only\n";
?>
--EXPECT--
all
