<?php
declare(strict_types=1);

/*
 * Sells one piece, as it is so often written: reads the stock, looks at it, writes back one less. Only the lock that
 * stands around it keeps two buyers from reading the same stock.
 */

require __DIR__ . '/adapter.php';

$lock = wanted_lock();
$db = new PDO("sqlite:$_SERVER[BENCH_FOLDER]/shop.sqlite", options: [PDO::ATTR_TIMEOUT => 10]);
$db->exec('PRAGMA synchronous = OFF');

if (!$lock->lock('stock:SKU0001', 10)) {
    http_response_code(503);
    exit;
}
try {
    $stock = (int) $db->query("SELECT stock FROM products WHERE sku = 'SKU0001'")->fetchColumn();
    if ($stock > 0) {
        $db->exec('UPDATE products SET stock = ' . ($stock - 1) . " WHERE sku = 'SKU0001'");
        $db->exec("INSERT INTO orders VALUES ('SKU0001')");
    }
} finally {
    $lock->unlock('stock:SKU0001');
}
echo $stock > 0 ? 'sold' : 'sold out';
