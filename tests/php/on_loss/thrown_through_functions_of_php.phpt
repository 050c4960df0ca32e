--TEST--
The exception leaves functions of PHP that call back, as every other
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
$lock = new RedisLock($server->dsn(), ['expire' => lease(0.9), 'renew' => true, 'on_loss' => 'throw']);

function slow_compare(int $a, int $b): int
{
    compute(0.02);
    return $a <=> $b;
}

class Items implements IteratorAggregate
{
    public function getIterator(): Iterator
    {
        foreach (range(1, 1000) as $i) {
            compute(0.02);
            yield $i;
        }
    }
}

class Text
{
    public function __toString(): string
    {
        return compute(LONG);
    }

    public function __get(string $name): string
    {
        return compute(LONG);
    }
}

$numbers = range(1, 1000);
shuffle($numbers);
$acts = [
    'usort' => fn () => usort($numbers, slow_compare(...)),
    'array_map' => fn () => array_map(fn ($n) => compute(0.02), $numbers),
    'array_walk' => fn () => array_walk($numbers, fn () => compute(0.02)),
    'preg_replace_callback' => fn () => preg_replace_callback('/./', fn () => compute(0.02), str_repeat('x', 1000)),
    'iterator_to_array' => fn () => iterator_to_array(new Items()),
    'spread' => fn () => max(...new Items()),
    'string' => fn () => 'a' . new Text() . 'b',
    'property' => fn () => [1, (new Text())->none],
    'call_user_func' => fn () => call_user_func_array('compute', [LONG]),
    'reflection' => fn () => (new ReflectionFunction('compute'))->invoke(LONG),
    'constructor' => fn () => new ArrayIterator([compute(LONG)]),
    'eval' => fn () => eval('return compute(LONG);'),
];
foreach ($acts as $label => $act) {
    try {
        $lock->lock('x');
        take_away($redis, 'x');
        $act();
        echo "$label: NOT BROKEN OFF\n";
    } catch (RedisLockLostException $e) {
        echo "$label: ", $e->lockName, "\n";
    }
    $lock->unlock('x');
}
?>
--EXPECT--
usort: x
array_map: x
array_walk: x
preg_replace_callback: x
iterator_to_array: x
spread: x
string: x
property: x
call_user_func: x
reflection: x
constructor: x
eval: x
