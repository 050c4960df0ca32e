--TEST--
php-fpm: Redis restarts in the middle of a sale, and sales go on long before the lease of the lock that was held then ends
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/fastcgi.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/fastcgi.inc';

const WORKERS = 16;
const EXPIRE = 20;
const OUTAGE = 1.0;

$server = RedisServer::start(['appendonly yes', 'appendfsync always']);
$fpm = Fpm::start(WORKERS);
$fpm->script('sell.php', <<<'PHP'
    <?php
    $lock = new RedisLock($_GET['dsn'], ['expire' => (float) $_GET['expire']]);
    try {
        $lock->synchronized('SKU0001', function () {
            if ($_GET['outage']) {
                touch($_GET['outage'] . '.in');
                while (!file_exists($_GET['outage'] . '.killed')) {
                    clearstatcache();
                    usleep(1000);
                }
            }
            usleep(2000);
            file_put_contents($_GET['log'], hrtime(true) . "\n", FILE_APPEND);
        }, timeout: 3);
        echo 'sold';
    } catch (RedisLockException $e) {
        usleep(20000); // a visitor reads that the shop is closed
        echo get_class($e);
    }
    PHP);
$log = $fpm->path('log');
$sold = fn () => is_file($log) ? array_map('intval', file($log)) : [];
$query = ['dsn' => $server->dsn(), 'expire' => EXPIRE, 'log' => $log];
$open = $outcomes = [];

/** Keeps requests going, two for each worker, until $holds says true. */
$sell_until = function (callable $holds) use ($fpm, $query, &$open, &$outcomes) {
    $done = wait_until(function () use ($holds, $fpm, $query, &$open, &$outcomes) {
        while (count($open) < 2 * WORKERS) {
            $open[] = $fpm->request('sell.php', [...$query, 'outage' => '']);
        }
        foreach ($open as $i => $request) {
            if ($request->pump()) {
                $outcomes[$request->body()] = true;
                unset($open[$i]);
            }
        }
        return $holds();
    }, 2 * EXPIRE);
    is_so('went on', $done);
};

$sell_until(fn () => count($sold()) > 50);
$open[] = $fpm->request('sell.php', [...$query, 'outage' => $fpm->path('outage')]);
$sell_until(fn () => file_exists($fpm->path('outage.in')));
$server->kill();
$killed = hrtime(true);
touch($fpm->path('outage.killed'));
$sell_until(fn () => hrtime(true) - $killed > OUTAGE * 1e9);
array_map(fn ($request) => $request->finish(), $open); // the server that is started now would inherit their sockets
$open = [];
$server->restart();
$back = hrtime(true);
$after = fn () => array_filter($sold(), fn ($at) => $at > $back);
$sell_until(fn () => count($after()) > 0);
// Without the release that is sent again, nothing is sold before the lease ends.
is_between('first sale', (min($after()) - $back) / 1e9, 0, EXPIRE / 4);
foreach ($open as $request) {
    $request->finish();
}
ksort($outcomes);
echo implode("\n", array_keys($outcomes)), "\n";
?>
--EXPECT--
went on: yes
went on: yes
went on: yes
went on: yes
first sale: yes
RedisLockConnectionException
sold
