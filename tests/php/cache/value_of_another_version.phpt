--TEST--
remember(): a value that cannot be read back, since the code has changed, is built anew, by one for all, and nothing is said
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$lock = new RedisLock($server->dsn());
/** What another version of the code does; it prints all that PHP complains of. */
$version = fn (string $classes, string $rest) => Worker::start($classes . '
    set_error_handler(function (int $level, string $message) { if (error_reporting() & $level) echo "COMPLAINS: $message\n"; });
    $lock = new RedisLock($argv[1]);
    $allowed = ["Gone", "Typed", "Suit", "Wakes"];
    ' . $rest, [$server->dsn()]);
$builds = '
    var_dump($lock->remember("k", function () { echo "builds\n"; return "new"; }, 60, timeout: 20, allowedClasses: $allowed));';
$old = 'class Gone {} class Typed { public string $p = "text"; } enum Suit { case Hearts; case Stars; } class Wakes { public $v = 1; }';
foreach (['[new Gone()]' => '', 'new Typed()' => 'class Typed { public int $p = 1; }', 'Suit::Stars' => 'enum Suit { case Hearts; }',
    'new Wakes()' => 'class Wakes { public function __wakeup() { throw new LogicException("of another version"); } }'] as $value => $new) {
    echo $value, ":\n";
    $lock->forget('k');
    $version($old, '$lock->remember("k", fn () => ' . $value . ', 60, allowedClasses: $allowed);')->wait(20);
    echo $version($new, $builds)->output(), $version($new, $builds)->output();
}

echo "many at once: ";
$lock->forget('k');
$version($old, '$lock->remember("k", fn () => new Gone(), 60, allowedClasses: $allowed);')->wait(20);
$workers = [];
for ($i = 0; $i < 8; $i++) {
    $workers[] = $version('', 'echo "ready\n"; fgets(STDIN);' . $builds);
}
array_map(fn ($worker) => $worker->readLine(), $workers);
array_map(fn ($worker) => $worker->tell('go'), $workers);
$output = implode('', array_map(fn ($worker) => $worker->output(), $workers));
echo substr_count($output, 'builds'), ' builds, ', substr_count($output, 'string(3) "new"'), ' have it', str_contains($output, 'COMPLAINS') ? $output : '', "\n";
?>
--EXPECT--
[new Gone()]:
builds
string(3) "new"
string(3) "new"
new Typed():
builds
string(3) "new"
string(3) "new"
Suit::Stars:
builds
string(3) "new"
string(3) "new"
new Wakes():
builds
string(3) "new"
string(3) "new"
many at once: 1 builds, 8 have it
