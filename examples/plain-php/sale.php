<?php
declare(strict_types=1);

/*
 * A flash sale: 20 pieces, 200 buyers in 8 processes. Exits with 0 if every piece was sold once. Needs pcntl, and pdo_sqlite
 * or pdo_mysql.
 *
 *     php examples/plain-php/sale.php [REDIS [FUNCTION]]
 *
 * REDIS is a server such as redis://127.0.0.1:6379, by default that of redislock.servers. FUNCTION sells one piece: buy, or one
 * of naive.php. The shop is an SQLite database in a temporary folder; or what DB_DSN names (mysql:…, as DB_USERNAME),
 * where it makes its tables anew.
 */

require __DIR__ . '/buy.php';
require __DIR__ . '/naive.php';

const PIECES = 20, PROCESSES = 8, BUYERS_EACH = 25;

$redis = $argv[1] ?? null;
$sell = ($argv[2] ?? 'buy')(...);

$folder = sys_get_temp_dir() . '/flash-sale-' . bin2hex(random_bytes(6));
mkdir($folder, 0700);
$open = fn () => new PDO(getenv('DB_DSN') ?: "sqlite:$folder/shop.db", getenv('DB_USERNAME') ?: null, getenv('DB_PASSWORD') ?: null, [PDO::ATTR_TIMEOUT => 5]);

$db = $open();
$db->exec('DROP TABLE IF EXISTS products');
$db->exec('DROP TABLE IF EXISTS orders');
$db->exec('CREATE TABLE products (sku VARCHAR(32) PRIMARY KEY, stock INTEGER NOT NULL)');
$db->exec('CREATE TABLE orders (sku VARCHAR(32) NOT NULL, buyer VARCHAR(32) NOT NULL)');
$db->exec("INSERT INTO products VALUES ('SKU0001', " . PIECES . ')');
$db = null; // a connection must not be shared with a fork

for ($number = 0; $number < PROCESSES; $number++) {
    if (pcntl_fork() === 0) { // a web server: its buyers come one after another
        $db = $open();
        $lock = new RedisLock($redis);
        for ($i = 0; $i < BUYERS_EACH; $i++) {
            file_put_contents("$folder/told", $sell($db, $lock, 'SKU0001', "buyer $number-$i") . "\n", FILE_APPEND);
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
echo "$orders orders for ", PIECES, " pieces, $stock in stock", $orders > PIECES ? ': oversold by ' . ($orders - PIECES) : '', "\n";
array_map(unlink(...), glob("$folder/*"));
rmdir($folder);
exit($orders === PIECES && $stock === 0 && ($told['sold'] ?? 0) === PIECES ? 0 : 1);
