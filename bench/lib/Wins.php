<?php
declare(strict_types=1);

namespace Bench;

/** Where a peer is better than we are: said in the report, with the reason. */
final class Wins
{
    /** workload => what is compared => [its name, 1: more is better, -1: less is] */
    private const COMPARED = [
        'uncontended' => [
            'p50' => ['p50 of a pair, ms', -1], 'p99' => ['p99 of a pair, ms', -1], 'bytes_in' => ['bytes in, a pair', -1],
            'bytes_out' => ['bytes out, a pair', -1], 'cpu' => ['server\'s processor time a pair, s', -1],
        ],
        'crowd' => [
            'rate' => ['sections a second', 1], 'turns' => ['changes of the holder a second', 1], 'p50' => ['p50 of the wait, ms', -1], 'p99' => ['p99 of the wait, ms', -1], 'max' => ['longest wait, ms', -1],
            'jain' => ['Jain\'s index', 1], 'overtaken' => ['passed over, a section', -1], 'requests' => ['requests a section', -1],
            'bytes_in' => ['bytes in, a section', -1], 'bytes_out' => ['bytes out, a section', -1], 'cpu' => ['server\'s processor time a section, s', -1],
            'handoff50' => ['p50 of the hand-off, ms', -1], 'handoff99' => ['p99 of the hand-off, ms', -1],
        ],
        'waiting' => ['requests' => ['requests a second', -1], 'cpu' => ['server\'s processor time a second', -1]],
        'burst' => ['span' => ['until all were served, ms', -1], 'p50' => ['p50 of the wait, ms', -1], 'max' => ['longest wait, ms', -1]],
        'names' => ['lock' => ['lock, ms', -1], 'unlock' => ['release, ms', -1]],
        'instructions' => ['pair' => ['instructions a pair', -1]],
        'memory' => ['kb' => ['memory, KB', -1], 'again' => ['memory of a second connection, KB', -1]],
        'sale' => ['rate' => ['requests a second', 1], 'p50' => ['p50, ms', -1], 'p99' => ['p99, ms', -1]],
        'redlock' => ['p50' => ['p50, ms', -1], 'rate' => ['sections a second', 1]],
    ];

    /** [workload and what, by pattern => why a peer may be better there] */
    private const REASONS = [
        '/^(uncontended.* (p50|p99|bytes_in|bytes_out|cpu)|names lock)$/' => 'a bare SET and a compare-and-delete cost Redis less than two scripts that look after a queue, and need fewer bytes; nobody waits here, so nothing is had for it',
        '/^(crowd|visitors|batch|burst).* (p50|p99|max)$/' => 'who polls is served late or at once, by luck: a process that has just released takes the lock again without a wait, and the others wait all the longer (see their p99, longest wait and Jain\'s index)',
        '/^(crowd|visitors|batch).* (requests|bytes_in|bytes_out|cpu)$/' => 'who sleeps between its tries asks nothing meanwhile, and one process that takes the lock many times in a row needs no hand-over; the price is the wait',
        '/^(crowd|visitors|batch).* (handoff50|handoff99)$/' => 'who asks all the time, or happens to look just after the release, sees it at once; the price is the load, or the wait of all others (see the p99 of both)',
        '/^redlock crowd (rate|p50)$/' => 'one process takes the lock many times in a row while the others sleep, so nothing is handed over (see the p99 of the wait)',
        '/^instructions pair$/' => 'one SET and one EVAL with few arguments need less formatting than two scripts with many, and no state of a held lock is kept',
        '/^sale (p50|rate)$/' => 'with polls, a process that comes just after a release is served at once and the others wait (see p99)',
        '/^(burst.* span|waiting.* cpu)$/' => 'little separates them here',
        '/^(crowd|visitors|batch).* jain$/' => 'with few sections for each process, the index of all of them is near 1',
        '/^(crowd|visitors|batch) .* rate$/' => 'one process takes the lock many times in a row while the others sleep, so nothing is handed over',
        '/^(crowd|visitors|batch) .* turns$/' => 'nobody has to wait for the other\'s end',
        '/^memory.* again$/' => 'it is counted in whole pages, and the first connection may have left room in one',
        '/^memory.* kb$/' => 'what a first lock adds depends on what of the code was loaded before it',
    ];

    private const UNSOUND = '; and it let two in at once: see the overlaps, or the pieces oversold';
    private const WITHIN = 'by less than our own runs differ from each other';

    /** @return array<array{string, string, string, string, string, string, float}> workload, what, ours, peer, its, reason, how many times as good */
    public static function of(array $results): array
    {
        $wins = [];
        foreach ($results as $workload => $of) {
            $peers = Peers::others($of);
            $sound = Peers::sound($of);
            foreach (self::COMPARED[strtr(strtok($workload, ' '), ['visitors' => 'crowd', 'batch' => 'crowd'])] ?? [] as $what => [$name, $sign]) {
                foreach ([$sound, array_diff_key($peers, $sound)] as $kind => $some) {
                    $win = self::better($of['ours'][$what] ?? [], $some, $what, $sign);
                    if ($win !== null) {
                        [$ours, $peer, $its, $within] = $win;
                        $why = $within ? self::WITHIN : self::reason("$workload $what");
                        $times = max($ours, $its) / (min($ours, $its) ?: 1);
                        $wins[] = [$workload, $name, self::short($ours), $peer, self::short($its), $why . ($kind === 1 ? self::UNSOUND : ''), $times];
                    }
                }
            }
        }
        return $wins;
    }

    /** @return array{float, string, float, bool}|null ours, the best peer and its, and whether our own runs differ by more */
    private static function better(array $runs, array $peers, string $what, int $sign): ?array
    {
        $ours = Stats::median($runs);
        [$peer, $best] = self::best($peers, $what, $sign);
        if (is_nan($ours) || $peer === null || $sign * ($best - $ours) <= 0) {
            return null;
        }
        return [$ours, $peer, $best, $best >= min($runs) && $best <= max($runs)];
    }

    /**
     * @param int $sign 1: the most is the best, -1: the least is
     * @return array{?string, float} the peer, and its median
     */
    public static function best(array $peers, string $what, int $sign): array
    {
        $best = [null, NAN];
        foreach ($peers as $peer => $numbers) {
            $number = Stats::median($numbers[$what] ?? []);
            if (!is_nan($number) && ($best[0] === null || $sign * ($number - $best[1]) > 0)) {
                $best = [$peer, $number];
            }
        }
        return $best;
    }

    private static function reason(string $what): string
    {
        foreach (self::REASONS as $pattern => $reason) {
            if (preg_match($pattern, $what)) {
                return $reason;
            }
        }
        return 'to be looked into';
    }

    private static function short(float $number): string
    {
        return $number == 0 ? '0' : (abs($number) >= 100 ? number_format($number, 0, '.', ' ') : sprintf('%.3g', $number));
    }
}
