<?php
declare(strict_types=1);

/*
 * A flash sale: 20 pieces, 200 buyers in 8 processes, SQLite in a temporary folder, and the Redis of redislock.servers
 * or of the first argument. Needs pcntl and pdo_sqlite.
 *
 *     php examples/plain-php/sale.php [redis://127.0.0.1:6379]
 */

require __DIR__ . '/buy.php';

const PIECES = 20, PROCESSES = 8, BUYERS_EACH = 25;

$folder = sys_get_temp_dir() . '/flash-sale-' . bin2hex(random_bytes(6));
mkdir($folder, 0700);
$open = fn () => new PDO("sqlite:$folder/shop.db", options: [PDO::ATTR_TIMEOUT => 5]);

$db = $open();
$db->exec('CREATE TABLE products (sku TEXT PRIMARY KEY, stock INTEGER NOT NULL)');
$db->exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, sku TEXT NOT NULL, buyer TEXT NOT NULL)');
$db->exec("INSERT INTO products VALUES ('SKU0001', " . PIECES . ')');
$db = null; // a connection must not be shared with a fork

for ($number = 0; $number < PROCESSES; $number++) {
    if (pcntl_fork() === 0) { // a web server: its buyers come one after another
        $db = $open();
        $lock = new RedisLock($argv[1] ?? null);
        for ($i = 0; $i < BUYERS_EACH; $i++) {
            file_put_contents("$folder/told", buy($db, $lock, 'SKU0001', "buyer $number-$i") . "\n", FILE_APPEND);
        }
        exit;
    }
}
while (pcntl_wait($status) > 0);

$told = array_count_values(file("$folder/told", FILE_IGNORE_NEW_LINES));
$db = $open();
$stock = (int) $db->query('SELECT stock FROM products')->fetchColumn();
$orders = (int) $db->query('SELECT count(*) FROM orders')->fetchColumn();
$db = null;
foreach ($told as $outcome => $buyers) {
    echo "$outcome: $buyers\n";
}
echo "stock left: $stock, orders: $orders\n";
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
exit($orders === PIECES && $stock === 0 && ($told['sold'] ?? 0) === PIECES ? 0 : 1);
