--TEST--
An autoloader that the constructor runs may call the constructor itself: what came first stays, and no lock outlives its object
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
$within = null;
spl_autoload_register(function (string $class) use (&$within) {
    $within && $within();
    eval("class $class { public static function told() {} }");
});
$made = fn () => (new ReflectionClass(RedisLock::class))->newInstanceWithoutConstructor();

echo "the inner call succeeds:\n";
$lock = $made();
$within = function () use (&$lock, $dsn) {
    $lock->__construct($dsn, ['expire' => 0.3, 'renew' => true]);
    var_dump($lock->lock('x'));
};
thrown(fn () => $lock->__construct($dsn, ['on_loss' => 'First::told']));
var_dump(array_keys($lock->held()));
$lock = null;
var_dump(all_keys($redis));

echo "the inner call succeeds, and the outer one fails:\n";
$lock = $made();
thrown(fn () => $lock->__construct($dsn, ['on_loss' => 'Second::told', 'none' => 1]));
var_dump(array_keys($lock->held()));
$lock = null;
var_dump(all_keys($redis));

echo "by new:\n";
class Kept extends RedisLock
{
    public static ?self $last = null;

    public function __construct(string $dsn, array $options = [])
    {
        self::$last = $this;
        parent::__construct($dsn, $options);
    }
}
$within = function () use ($dsn) {
    Kept::$last->__construct($dsn, ['expire' => 0.3, 'renew' => true]);
    var_dump(Kept::$last->lock('x'));
};
thrown(fn () => new Kept($dsn, ['on_loss' => 'Third::told']));
var_dump(array_keys(Kept::$last->held()));
Kept::$last = null;
var_dump(all_keys($redis));

echo "the inner call fails:\n";
$lock = $made();
$within = function () use ($lock, $dsn) {
    thrown(fn () => $lock->__construct($dsn, ['none' => 1]));
};
$lock->__construct($dsn, ['on_loss' => 'Fourth::told']);
var_dump($lock->lock('x'), $lock->unlock('x'));
$within = null;

echo "the last reference to the object is dropped:\n";
$lock = $made();
$function = new class {
    public function __call(string $name, array $arguments)
    {
    }
};
$weak = [WeakReference::create($lock), WeakReference::create($function)];
$within = function () use (&$lock) {
    $lock = null;
};
$constructor = [&$lock, '__construct'];
array_map($constructor, [$dsn], [['on_loss' => ['Fifth', 'told']]]);
$lock = $within = null;
gc_collect_cycles();
var_dump($weak[0]->get());

echo "the option is a reference, and changes:\n";
foreach ([5, null, 'flag', [], new stdClass()] as $i => $other) {
    $value = str_repeat('V', 30) . "$i::told";
    $within = function () use (&$value, $other) {
        $value = $other;
    };
    echo outcome(fn () => (new RedisLock($dsn, ['on_loss' => &$value]))->held()) === "array (\n)" ? "taken\n" : "NOT TAKEN\n";
}
?>
--EXPECT--
the inner call succeeds:
bool(true)
Error: RedisLock is already constructed
array(1) {
  [0]=>
  string(1) "x"
}
array(0) {
}
the inner call succeeds, and the outer one fails:
bool(true)
ValueError: RedisLock::__construct(): Argument #2 ($options) option "none" is unknown
array(1) {
  [0]=>
  string(1) "x"
}
array(0) {
}
by new:
bool(true)
Error: Kept is already constructed
array(1) {
  [0]=>
  string(1) "x"
}
array(0) {
}
the inner call fails:
ValueError: RedisLock::__construct(): Argument #2 ($options) option "none" is unknown
bool(true)
bool(true)
the last reference to the object is dropped:
NULL
the option is a reference, and changes:
taken
taken
taken
taken
taken
