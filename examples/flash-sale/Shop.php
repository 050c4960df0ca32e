<?php
declare(strict_types=1);

/**
 * A small shop on a real database, written as most shops are: read the stock, check it, ask for the money, write the
 * stock back. That is right for one buyer at a time, and only for one at a time.
 */
final class Shop
{
    private PDO $db;

    public function __construct(string $file)
    {
        $this->db = new PDO("sqlite:$file");
        // A database that another buyer is writing to makes us wait, never fail: what goes wrong here is not SQLite.
        $this->db->exec('PRAGMA busy_timeout = 20000');
    }

    /** Opens the shop: one product, no orders. */
    public static function create(string $file, string $sku, int $stock): self
    {
        $shop = new self($file);
        $shop->db->exec('PRAGMA journal_mode = WAL');
        $shop->db->exec('CREATE TABLE products (sku TEXT PRIMARY KEY, stock INTEGER NOT NULL)');
        $shop->db->exec('CREATE TABLE orders (id INTEGER PRIMARY KEY, sku TEXT NOT NULL, buyer INTEGER NOT NULL)');
        $shop->db->prepare('INSERT INTO products VALUES (?, ?)')->execute([$sku, $stock]);
        return $shop;
    }

    /** Sells one item to this buyer; false: sold out. */
    public function buy(string $sku, int $buyer): bool
    {
        $stock = $this->stock($sku);
        if ($stock < 1) {
            return false;
        }

        $this->askForPayment();

        // The transaction keeps these two rows together. It does not protect the stock that we read before it: the
        // value may be old by now, and is written all the same.
        $this->db->beginTransaction();
        $this->db->prepare('UPDATE products SET stock = ? WHERE sku = ?')->execute([$stock - 1, $sku]);
        $this->db->prepare('INSERT INTO orders (sku, buyer) VALUES (?, ?)')->execute([$sku, $buyer]);
        $this->db->commit();
        return true;
    }

    public function stock(string $sku): int
    {
        $query = $this->db->prepare('SELECT stock FROM products WHERE sku = ?');
        $query->execute([$sku]);
        return (int) $query->fetchColumn();
    }

    public function orders(string $sku): int
    {
        $query = $this->db->prepare('SELECT COUNT(*) FROM orders WHERE sku = ?');
        $query->execute([$sku]);
        return (int) $query->fetchColumn();
    }

    /** The payment service takes 1 to 2 ms to say yes. */
    private function askForPayment(): void
    {
        usleep(random_int(1_000, 2_000));
    }
}
