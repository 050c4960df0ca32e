<?php
declare(strict_types=1);

/*
 * The same sale without the database's last word, `WHERE stock > 0`, to show what the order alone does. Not to be copied.
 */

/** Reads the stock, and writes back one less. */
function sell(PDO $db, string $sku, string $buyer): string
{
    $read = $db->prepare('SELECT stock FROM products WHERE sku = ?');
    $read->execute([$sku]);
    [$stock] = $read->fetchAll(PDO::FETCH_COLUMN);
    if ($stock <= 0) {
        return 'sold out';
    }
    $db->prepare('UPDATE products SET stock = ? WHERE sku = ?')->execute([$stock - 1, $sku]);
    $db->prepare('INSERT INTO orders (sku, buyer) VALUES (?, ?)')->execute([$sku, $buyer]);
    return 'sold';
}

/** Right: lock, begin, …, commit, unlock. */
function transaction_inside_the_lock(PDO $db, RedisLock $lock, string $sku, string $buyer): string
{
    return $lock->synchronized("stock:$sku", function () use ($db, $sku, $buyer) {
        $db->beginTransaction();
        $outcome = sell($db, $sku, $buyer);
        $db->commit();
        return $outcome;
    }, timeout: 10);
}

/** Wrong: begin, lock, …, unlock, commit. As often as not something is read first: who the buyer is, what is in the cart. */
function lock_inside_the_transaction(PDO $db, RedisLock $lock, string $sku, string $buyer): string
{
    $db->beginTransaction();
    $db->query('SELECT count(*) FROM orders')->fetchAll();
    $outcome = $lock->synchronized("stock:$sku", fn () => sell($db, $sku, $buyer), timeout: 10);
    $db->commit();
    return $outcome;
}
