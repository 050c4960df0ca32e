<?php
declare(strict_types=1);

namespace Bench;

/** A flash sale over HTTP, with a database. */
final class Sale
{
    private const STOCK = 300;

    private readonly string $database;

    public function __construct(string $folder, private readonly Web $web, private readonly float $seconds)
    {
        $this->database = "$folder/shop.sqlite";
    }

    private function stock(): \PDO
    {
        array_map('unlink', glob("$this->database*"));
        $db = new \PDO("sqlite:$this->database");
        $db->exec('PRAGMA journal_mode = WAL; CREATE TABLE products (sku TEXT PRIMARY KEY, stock INTEGER); CREATE TABLE orders (sku TEXT);');
        $db->exec("INSERT INTO products VALUES ('SKU0001', " . self::STOCK . ')');
        return $db;
    }

    /** @return array<string, float> */
    public function run(string $lock): array
    {
        $db = $this->stock();
        $told = $this->web->wrk('buy.php', ['lock' => $lock], $this->seconds);
        preg_match('/^Requests\/sec:\s+([\d.]+)/m', $told, $rate) || throw new \RuntimeException("wrk says: $told");
        preg_match('/Non-2xx or 3xx responses: (\d+)/', $told, $bad);
        preg_match('/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/', $told, $broken);
        $this->web->settle();
        $orders = (int) $db->query('SELECT count(*) FROM orders')->fetchColumn();
        return [
            'rate' => (float) $rate[1],
            'p50' => self::latency($told, 50),
            'p99' => self::latency($told, 99),
            'orders' => $orders,
            'oversold' => max(0, $orders - self::STOCK),
            'refused' => (int) ($bad[1] ?? 0) + array_sum(array_slice($broken, 1)),
        ];
    }

    private static function latency(string $told, int $quantile): float
    {
        preg_match("/^\s+$quantile%\s+([\d.]+)(us|ms|s)/m", $told, $found);
        return isset($found[2]) ? $found[1] * ['us' => 0.001, 'ms' => 1, 's' => 1000][$found[2]] : NAN;
    }
}
