<?php
declare(strict_types=1);

/*
 * 40 orders, of which every other one is paid; those that are not are cancelled after 2 s (in a shop: 30 minutes) by 3
 * workers, one of which is killed while it works. SQLite in a temporary folder, and the Redis of redislock.servers or of
 * the first argument. Needs pcntl, posix and pdo_sqlite.
 *
 *     php examples/order-timeout/demo.php [redis://127.0.0.1:6379]
 */

require __DIR__ . '/orders.php';

const ORDERS = 40, PAY_WITHIN_HERE = 2.0, WORKERS = 3;

$folder = sys_get_temp_dir() . '/order-timeout-' . bin2hex(random_bytes(6));
mkdir($folder, 0700);
$open = fn () => new PDO("sqlite:$folder/shop.db", options: [PDO::ATTR_TIMEOUT => 5]);
$prefix = 'order-timeout-' . basename($folder) . ':';
$queue = new RedisQueue($argv[1] ?? null, ['prefix' => $prefix]);

$db = $open();
$db->exec('CREATE TABLE products (sku TEXT PRIMARY KEY, stock INTEGER NOT NULL)');
$db->exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, sku TEXT NOT NULL, state TEXT NOT NULL)');
$db->exec("INSERT INTO products VALUES ('SKU0001', " . ORDERS . ')');
for ($i = 0; $i < ORDERS; $i++) {
    $placed[] = place($db, $queue, 'SKU0001', PAY_WITHIN_HERE);
}
foreach ($placed as $i => $order) {
    if ($i % 2 === 0) {
        pay($db, $order);
    }
}
$db = null; // a connection must not be shared with a fork

$workers = [];
for ($number = 0; $number < WORKERS; $number++) {
    $pid = pcntl_fork();
    if ($pid === 0) {
        $until = microtime(true) + PAY_WITHIN_HERE + 2;
        if ($number === 0) { // dies with a task in its hands: another gets it when the time is over for which it is reserved
            $queue->reserve('unpaid', visibility: 0.5, timeout: 10);
            posix_kill(getmypid(), SIGKILL);
        }
        work($open(), $queue, fn () => microtime(true) < $until);
        exit;
    }
    $workers[] = $pid;
}
foreach ($workers as $pid) {
    pcntl_waitpid($pid, $status);
}

$db = $open();
$states = $db->query('SELECT state, count(*) FROM orders GROUP BY state ORDER BY state')->fetchAll(PDO::FETCH_KEY_PAIR);
$stock = (int) $db->query('SELECT stock FROM products')->fetchColumn();
$left = array_sum($queue->stats('unpaid'));
$db = null;
foreach ($states as $state => $count) {
    echo "$state: $count\n";
}
echo "stock: $stock, tasks left: $left\n";
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
exit($states == ['cancelled' => ORDERS / 2, 'paid' => ORDERS / 2] && $stock === ORDERS / 2 && $left === 0 ? 0 : 1);
