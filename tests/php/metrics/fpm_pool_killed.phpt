--TEST--
metrics(): of a php-fpm pool whose workers are killed under load, they differ from what the shop counted by one operation a kill at most
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';
require __DIR__ . '/../fpm/fastcgi.inc';

const BUYERS = 800;
const KILLS = 20;

$server = RedisServer::start();
$folder = new PrivateFolder();
$fpm = Fpm::start(16, [], ['redislock.shared_memory' => $folder->path]);
// The shop counts behind each call, in a file that outlives the worker too.
$fpm->script('buy.php', '<?php
    $count = fn ($what) => file_put_contents("$_GET[folder]/$what", ".", FILE_APPEND);
    $lock = new RedisLock($_GET["dsn"], ["expire" => 0.5, "read_timeout" => 20.0]); // a busy machine may be late, but loses no answer
    $name = "stock:SKU" . $_GET["number"] % 7;
    if ($lock->lock($name, 10.0)) {
        $count("acquired");
        $lock->unlock($name) ? $count("released") : $count("lost");
    }');
$fpm->script('metrics.php', '<?php echo json_encode(RedisLock::metrics()["machine"]["groups"]["stock"]);');
$over = $kills = 0;
run_requests(
    BUYERS,
    32,
    fn ($number) => $fpm->request('buy.php', ['dsn' => $server->dsn(), 'number' => $number, 'folder' => $folder->path]),
    function ($number, $request) use (&$over, &$kills, $fpm) {
        if (!$request->pump()) {
            return false;
        }
        $workers = $fpm->workers();
        if (++$over % (BUYERS / KILLS) === 0 && $workers !== [] && posix_kill($workers[array_rand($workers)], SIGKILL)) {
            $kills++;
        }
        return true;
    },
);
// A worker that was killed last may have taken the request, and answers it no more.
wait_until(function () use ($fpm, &$metrics) {
    try {
        return ($metrics = json_decode($fpm->get('metrics.php'), true)) !== null;
    } catch (RuntimeException) {
        return false;
    }
});
$shop = fn (string $what) => (int) @filesize("$folder->path/$what");
is_so('enough was sold', $shop('released') > BUYERS / 2 && $kills > 10, [$shop('released'), $kills]);
foreach (['acquired', 'released', 'lost'] as $what) {
    is_between($what, $metrics[$what] - $shop($what), 0, $kills);
}
is_between('all of them together', $metrics['acquired'] + $metrics['released'] + $metrics['lost'] - $shop('acquired') - $shop('released') - $shop('lost'), 0, $kills);
is_so('waits', array_sum($metrics['wait']['counts']) === $metrics['acquired'], told($metrics));
tell_numbers("$kills kills; " . told($metrics) . '; the shop: acquired ' . $shop('acquired') . ', released ' . $shop('released'));
?>
--EXPECT--
enough was sold: yes
acquired: yes
released: yes
lost: yes
all of them together: yes
waits: yes
