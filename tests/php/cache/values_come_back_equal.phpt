--TEST--
remember(): values come back equal, of every type; a string is kept as it is
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';

class Point { public function __construct(public float $x, protected ?Point $next = null, private array $more = []) {} }
class Loop { public ?Loop $self = null; }
enum Suit: string { case Hearts = 'h'; }

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
$classes = [Point::class, '\\Suit', 'datetimeimmutable', 'ArrayObject', 'SplObjectStorage', 'Loop'];
$loop = new Loop();
$loop->self = $loop;
$shared = [1, 2];
$shared[2] = &$shared[0];
$storage = new SplObjectStorage();
$storage[new Point(1)] = 'one';
$values = [
    'text', '', "\0\xff\r\n", str_repeat('long ', 100000), 42, PHP_INT_MIN, 0.1, -0.0, NAN, INF, 1e300, true, [[], ['a' => [null]], 7 => 'x'],
    new Point(1.5, new Point(2), ['k' => Suit::Hearts]), Suit::Hearts, new DateTimeImmutable('2024-02-29 12:00 Asia/Shanghai'),
    $loop, $shared, $storage,
];
foreach ($values as $i => $value) {
    $first = $lock->remember("k$i", fn () => $value, 60, allowedClasses: $classes);
    $then = $lock->remember("k$i", fn () => 'BUILT AGAIN', 60, allowedClasses: $classes);
    if (serialize($first) !== serialize($value) || serialize($then) !== serialize($value)) {
        echo "DIFFERS: ", serialize($value), ' ', serialize($then), "\n";
    }
}
unset($loop, $values, $value, $first, $then);
gc_collect_cycles();
echo substr($server->client()->cmd('GET', '{lock:k0}:rl:value'), 15), "\n";
?>
--EXPECT--
stext
