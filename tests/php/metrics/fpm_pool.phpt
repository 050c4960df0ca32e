--TEST--
metrics(): any worker of a php-fpm pool tells what all of them did, also those that are gone
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

const BUYERS = 1200;

$server = RedisServer::start();
$folder = new PrivateFolder();
$fpm = Fpm::start(16, ['pm.max_requests = 20'], ['redislock.shared_memory' => $folder->path]);
$fpm->script('buy.php', '<?php
    $lock = new RedisLock($_GET["dsn"], ["read_timeout" => 20.0]); // a busy machine may be late, but loses no answer
    $name = "stock:SKU" . $_GET["number"] % 3;
    try {
        if ($lock->lock($name, $_GET["number"] % 4 === 0 ? 0.0 : 10.0)) {
            usleep(200);
            echo $lock->unlock($name) ? "sold" : "LOST";
        } else {
            echo "held";
        }
    } catch (RedisLockException $e) {
        echo "FAILED: ", $e->getMessage();
    }');
$fpm->script('metrics.php', '<?php echo json_encode(RedisLock::metrics()["machine"]["groups"]["stock"]);');
$answers = [];
run_requests(
    BUYERS,
    32,
    fn ($number) => $fpm->request('buy.php', ['dsn' => $server->dsn(), 'number' => $number]),
    function ($number, $request) use (&$answers) {
        $over = $request->pump();
        $over && $answers[] = $request->body();
        return $over;
    },
);
$shop = array_count_values($answers) + ['sold' => 0, 'held' => 0];
is_so('all were answered', $shop['sold'] + $shop['held'] === BUYERS, $shop);
$metrics = json_decode($fpm->get('metrics.php'), true);
foreach (['acquired' => 'sold', 'released' => 'sold', 'held' => 'held'] as $what => $shops) {
    is_so("$what, as the shop has counted", $metrics[$what] === $shop[$shops], [$metrics[$what], $shop]);
}
is_so('all waits', array_sum($metrics['wait']['counts']) === $shop['sold'], told($metrics));
is_so('all holds, of 0.2 ms at least', array_sum($metrics['hold']['counts']) === $shop['sold'] && $metrics['hold']['counts'][0] === 0, told($metrics));
is_so('some waited', $metrics['waited'] > 0 && $metrics['waited'] < $shop['sold'], told($metrics));
?>
--EXPECT--
all were answered: yes
acquired, as the shop has counted: yes
released, as the shop has counted: yes
held, as the shop has counted: yes
all waits: yes
all holds, of 0.2 ms at least: yes
some waited: yes
