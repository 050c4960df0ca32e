<?php
declare(strict_types=1);

/*
 * Holds a lock for so many microseconds, as a process of a crowd does, and appends when to a file of the process.
 */

require __DIR__ . '/adapter.php';

$lock = wanted_lock();
$asked = hrtime(true);
if (!$lock->lock('hot', 10)) {
    http_response_code(503);
    exit;
}
$got = hrtime(true);
if ($_GET['hold'] > 0) {
    usleep((int) $_GET['hold']);
}
$released = hrtime(true);
$lock->unlock('hot');
file_put_contents("$_GET[folder]/" . getmypid(), pack('q*', $asked, $got, $released, hrtime(true)), FILE_APPEND);
