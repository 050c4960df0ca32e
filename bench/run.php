<?php
declare(strict_types=1);

/*
 * Measures, and writes the report. bin/bench calls it, when all that it needs is there:
 *
 *     php run.php MODE FOLDER-FOR-SCRATCH FOLDER-FOR-THE-REPORT [PEER,PEER…]
 *     php run.php render FOLDER
 *
 * The second measures nothing: it writes the report in FOLDER anew from the results.json there.
 *
 * Exits with 1 when something could not be measured, not when something is slow.
 */

namespace Bench;

foreach (['Stats', 'Server', 'Network', 'Places', 'Peers', 'Crew', 'Crowd', 'Web', 'Sale', 'Bench', 'Machine', 'Bounds', 'TurnBounds', 'Wins', 'Drawing', 'Plot', 'Bars', 'Report'] as $class) {
    require __DIR__ . "/lib/$class.php";
}

set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    return (error_reporting() & $level) !== 0 && throw new \ErrorException($message, 0, $level, $file, $line);
});
pcntl_async_signals(true);
foreach ([SIGTERM, SIGINT, SIGHUP] as $signal) {
    pcntl_signal($signal, fn () => exit(128 + $signal)); // bin/bench ends what runs
}

if ($argv[1] === 'render') {
    $known = json_decode(file_get_contents("$argv[2]/results.json"), true);
    array_walk_recursive($known['results'], fn (&$number) => $number ??= NAN);
    (new Report(Peers::known($known['missing'], $known['against'], $known['results']), $known['results'], [], [], $known['machine']))->write($argv[2]);
    exit(0);
}

[, $mode, $scratch, $out] = $argv;
$only = array_filter(explode(',', $argv[4] ?? ''));
$peers = new Peers(json_decode(getenv('BENCH_HAVE'), true), $only, (string) getenv('BENCH_AGAINST'));
$plan = (require __DIR__ . '/plans.php')[$mode];
if ($peers->against !== '') {
    $plan = array_replace_recursive($plan, $plan['against']);
}
$bench = new Bench($peers, $plan, $scratch);
$machine = new Machine($mode, $bench->serverVersion());
$bench->run();
$bench->end();
$machine->end();

is_dir($out) || mkdir($out, recursive: true);
$report = new Report($peers, $bench->results, $bench->waits, $bench->errors, $machine->facts());
$report->write($out);
echo $report->summary(), "\nThe report: $out/RESULTS.md\n";
echo 'Seconds: ', implode(', ', array_map(fn ($what, $took) => $what . ' ' . round($took), array_keys($bench->took), $bench->took)), "\n";
foreach ($bench->errors as $error) {
    echo "could not be measured: $error\n";
}
exit($bench->errors === [] ? 0 : 1);
