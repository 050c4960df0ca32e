<?php
/**
 * A flash sale, twice: first without a lock, then with one. Exits with 0 if the lock held.
 *
 *     php sale.php FOLDER REDIS [STOCK [BUYERS [PROCESSES]]]
 *
 * FOLDER is for the databases. The options that PHP itself shall run with are in PHP_OPTIONS, one a line.
 * bin/demo does all that is needed around it.
 */
declare(strict_types=1);

require __DIR__ . '/Shop.php';
require __DIR__ . '/Sale.php';
require __DIR__ . '/Screen.php';

[, $folder, $redis] = $argv;
$stock = (int) ($argv[3] ?? 100);
$buyers = (int) ($argv[4] ?? 2_000);
$crowd = (int) ($argv[5] ?? 32);

$php = [PHP_BINARY, ...array_filter(explode("\n", (string) getenv('PHP_OPTIONS')))];
$screen = new Screen();

$sell = function (?string $redis) use ($screen, $php, $folder, $stock, $buyers, $crowd): Result {
    $sale = new Sale($php, $folder, $stock, $buyers, $crowd);
    try {
        return $sale->run($redis, fn (array $answers) => $screen->progress($answers, $buyers));
    } finally {
        $screen->progressEnds();
    }
};

$report = function (Result $result) use ($screen, $buyers): void {
    $screen->line(sprintf(
        '  sold %d of %d, refused %d%s: %.1f s, %.0f buyers a second',
        $result->orders,
        $result->stock,
        $result->answers['refused'],
        $result->answers['busy'] ? ", gave up {$result->answers['busy']}" : '',
        $result->seconds,
        $buyers / $result->seconds,
    ));
    $screen->line($result->oversold() > 0
        ? '  ' . $screen->bad("oversold by {$result->oversold()}") . ": {$result->orders} orders for {$result->stock} items, and the stock says {$result->left} left"
        : '  ' . $screen->good('oversold by 0'));
};

$screen->line("A flash sale: $stock items in a SQLite database, $buyers buyers in $crowd processes.");
$screen->line('Each sale reads the stock, asks for payment (1 to 2 ms), and writes back');
$screen->line('the stock less one, and an order.');

$screen->title('1. Without a lock');
$without = $sell(null);
$report($without);
if ($without->oversold() > 0) {
    $screen->line('  SQLite did nothing wrong: each statement is atomic. But while one buyer pays,');
    $screen->line('  others read the same stock, and each writes back that number less one.');
} else {
    $screen->line('  The race did not show this time. It is luck: with more processes or processors it does.');
}

$screen->title("2. With \$lock->lock('SKU0001', timeout: 10) around the same sale");
$with = $sell($redis);
$report($with);
$screen->line();
$screen->line('  How long the buyers waited for the lock:');
$screen->histogram($with->waits);
$screen->line(sprintf(
    '  half waited less than %s, 99 %% less than %s, the longest %s',
    Screen::ms($with->wait(0.5)),
    Screen::ms($with->wait(0.99)),
    Screen::ms($with->wait(1.0)),
));

$held = $with->held($buyers);
$screen->line("\n" . ($held
    ? $screen->good('The lock held:') . " every item was sold once, and everybody else was told that it is gone."
    : $screen->bad('The lock did not hold.') . " {$with->orders} orders, {$with->left} left in stock."));
exit($held ? 0 : 1);
