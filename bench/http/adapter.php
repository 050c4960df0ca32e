<?php
declare(strict_types=1);

require __DIR__ . '/../adapters.php';

/** The lock that the request names, on the server that it names; one that only warms up ends here. */
function wanted_lock(): Bench\Adapter
{
    $lock = Bench\adapter($_GET['lock'], [$_SERVER['BENCH_' . strtoupper($_GET['path'] ?? 'direct')]]);
    if (isset($_GET['warm'])) {
        $lock->lock('warm', 5) && $lock->unlock('warm');
        exit;
    }
    return $lock;
}
