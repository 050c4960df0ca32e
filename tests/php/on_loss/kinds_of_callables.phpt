--TEST--
on_loss takes every callable that can be called where it is named, a private method too
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/on_loss.inc';

$server = RedisServer::start();
$redis = $server->client();
function note(string $name, float $remaining): void
{
    $GLOBALS['told'][] = "$name";
}

class Holder
{
    private RedisLock $lock;

    public function __construct(private string $dsn)
    {
    }

    public function take(): void
    {
        $this->lock = new RedisLock($this->dsn, ['expire' => slow(0.2), 'on_loss' => [$this, 'lost']]);
        $this->lock->lock('a private method');
    }

    private function lost(string $name, float $remaining): void
    {
        note($name, $remaining);
    }

    public function open(string $name, float $remaining): void
    {
        note($name, $remaining);
    }

    public static function of(string $name, float $remaining): void
    {
        note($name, $remaining);
    }

    public function __invoke(string $name, float $remaining): void
    {
        note($name, $remaining);
    }
}

$told = $locks = [];
$holder = new Holder($server->dsn());
$holder->take();
$callables = [
    'a function' => 'note',
    'a method' => [$holder, 'open'],
    'a static method' => 'Holder::of',
    'a static method in an array' => [Holder::class, 'of'],
    'an object' => $holder,
    'a first class callable' => $holder->open(...),
    'an arrow function' => fn ($name, $remaining) => note($name, $remaining),
];
foreach ($callables as $name => $callable) {
    $locks[] = $lock = new RedisLock($server->dsn(), ['expire' => slow(0.2), 'on_loss' => $callable]);
    $lock->lock($name);
}
compute_until(fn () => count($told) >= count($callables) + 1);
sort($told);
echo implode("\n", $told), "\n";
unset($holder, $callables, $callable, $locks, $lock);
gc_collect_cycles(); // the first holder and its lock's function refer to each other
?>
--EXPECT--
a first class callable
a function
a method
a private method
a static method
a static method in an array
an arrow function
an object
