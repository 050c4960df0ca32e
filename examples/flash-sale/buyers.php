<?php
/**
 * One of the many processes of a web server: serves its share of the buyers, one after the other, and prints what
 * became of each: `sold`, `refused` or `busy`, and the µs that it waited for the lock.
 *
 *     php buyers.php DATABASE SKU FIRST STEP LAST [REDIS]
 *
 * Without REDIS nothing protects the stock. Prints `ready`, and starts when a line comes in.
 */
declare(strict_types=1);

require __DIR__ . '/Shop.php';

[, $database, $sku, $first, $step, $last] = $argv;
$redis = $argv[6] ?? null;

$shop = new Shop($database);
$lock = $redis === null ? null : new RedisLock($redis);

/** The shop as it is: two buyers may read the same stock. */
function buy_unprotected(Shop $shop, string $sku, int $buyer): array
{
    return [$shop->buy($sku, $buyer) ? 'sold' : 'refused', 0];
}

/** The same shop behind a lock: one buyer at a time reads, checks, writes and commits. */
function buy_protected(Shop $shop, RedisLock $lock, string $sku, int $buyer): array
{
    $came = hrtime(true);
    if (!$lock->lock($sku, timeout: 10)) {
        return ['busy', hrtime(true) - $came];
    }
    $waited = hrtime(true) - $came;
    try {
        return [$shop->buy($sku, $buyer) ? 'sold' : 'refused', $waited];
    } finally {
        // False would mean that the lease ended during the sale, and that somebody else may have sold beside us.
        $lock->unlock($sku) || throw new RuntimeException("buyer $buyer lost the lock");
    }
}

echo "ready\n";
if (fgets(STDIN) === false) {
    exit(1);
}
for ($buyer = (int) $first; $buyer <= (int) $last; $buyer += (int) $step) {
    [$answer, $waited] = $lock === null
        ? buy_unprotected($shop, $sku, $buyer)
        : buy_protected($shop, $lock, $sku, $buyer);
    // Nobody who listens: the sale was broken off.
    if (@fwrite(STDOUT, $answer . ' ' . intdiv($waited, 1_000) . "\n") === false) {
        exit(1);
    }
}
