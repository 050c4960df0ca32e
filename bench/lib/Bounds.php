<?php
declare(strict_types=1);

namespace Bench;

/** The targets, and whether they are met. What is compared was measured in the same run: the ratios are of each run. */
final class Bounds
{
    private const PATHS = ['direct' => '', 'delayed' => ', delayed'];

    /** @param array<string, array<string, array<string, float[]>>> $results see Bench */
    public function __construct(private readonly array $results)
    {
    }

    /** @return array<array{string, string, string, string, string}> what, measured, bound, whether it holds, why not */
    public function table(): array
    {
        return [...$this->alone(), ...$this->renewed(), ...$this->named(), ...$this->counted(), ...$this->atHoldZero(), ...$this->atHold(), ...$this->asked(), ...$this->handOffs(), ...$this->before(), ...(new TurnBounds($this->results))->table()];
    }

    /** @return float[] one number a run */
    private function of(string $workload, string $peer, string $what): array
    {
        return $this->results[$workload][$peer][$what] ?? [];
    }

    private function median(string $workload, string $peer, string $what): float
    {
        return Stats::median($this->of($workload, $peer, $what));
    }

    /** @return array<string, string> the workloads without a rival that were measured => where */
    private function uncontended(): array
    {
        $all = [];
        foreach (['unix' => 'unix socket', 'tcp' => 'TCP'] as $path => $socket) {
            foreach (Places::all() as $place) {
                $all["uncontended $path $place->id"] = "$socket, $place->title";
            }
        }
        return array_intersect_key($all, $this->results);
    }

    /** Rows for the time of a pair of $ours, of one of $other. */
    private function beside(string $ours, string $other, string $what, float $bound, string $why = ''): array
    {
        $rows = [];
        foreach ($this->uncontended() as $workload => $where) {
            $ratios = Stats::ratios($this->of($workload, $ours, 'to_limit'), $this->of($workload, $other, 'to_limit'));
            if ($ratios !== []) {
                $rows[] = self::row("$what: time of one without, $where", $ratios, '≤', $bound, '', $why);
            }
        }
        return $rows;
    }

    private function alone(): array
    {
        $rows = [];
        if ($this->uncontended() === []) {
            return []; // of a run that did not measure it
        }
        foreach (['ours-once' => ['lock($name)', 1.05], 'ours' => ['lock($name, 30)', 1.2]] as $ours => [$call, $bound]) {
            foreach ($this->uncontended() as $workload => $where) {
                $cpu = fn ($peer) => $this->median($workload, $peer, 'cpu') * 1e6;
                $why = sprintf('Redis works %.1f µs on our pair, %.1f µs on the raw loop\'s', $cpu($ours), $cpu('limit'));
                $rows[] = self::row("$call, unlock: time of the raw loop's, $where", $this->of($workload, $ours, 'to_limit'), '≤', $bound, '', $why);
            }
            $limit = $this->median('instructions', 'class-a', 'pair');
            $why = 'it is asked of a script, whose call has more than twice the arguments of a SET';
            $rows[] = self::row("$call, unlock: instructions in user space", $this->of('instructions', $ours, 'pair'), '≤', $limit, ', class A over phpredis', $ours === 'ours' ? $why : '');
        }
        return $rows;
    }

    /** What it costs that the lease is renewed, from the second lock on: the first one starts the thread. */
    private function renewed(): array
    {
        return $this->beside('ours-renewed', 'ours-once', 'lock($name) with renew, unlock', 1.1, 'the lease is copied for the thread, under a mutex');
    }

    /** What it costs that a token tells of its owner, by default the host, the pid and the script. */
    private function named(): array
    {
        $rows = $this->beside('ours-once', 'ours-unnamed', 'lock($name) with an owner, unlock', 1.02);
        if ($rows === []) {
            return []; // of a run that did not measure it
        }
        $more = fn ($workload, $what) => $this->median($workload, 'ours-once', $what) - $this->median($workload, 'ours-unnamed', $what);
        $rows[] = self::row('the same: bytes more that are sent for a pair', [$more('uncontended unix ' . Places::all()[0]->id, 'bytes_in')], '≤', 128);
        $rows[] = self::row('the same: bytes more of Redis\' memory for a lock that is held', [$more('key', 'bytes')], '≤', 64);
        $rows[] = self::row('the same: instructions in user space, of one without', Stats::ratios($this->of('instructions', 'ours-once', 'pair'), $this->of('instructions', 'ours-unnamed', 'pair')), '≤', 1.03);
        return $rows;
    }

    /** What it costs that the metrics count a pair. */
    private function counted(): array
    {
        $rows = $this->beside('ours-once', 'ours-uncounted', 'lock($name) with metrics, unlock', 1.01);
        $instructions = Stats::ratios($this->of('instructions', 'ours-once', 'pair'), $this->of('instructions', 'ours-uncounted', 'pair'));
        return $instructions === [] ? $rows : [...$rows, self::row('the same: instructions in user space, of one without', $instructions, '≤', 1.02)];
    }

    /** The crowd of 16, or the largest that there is. */
    private function crowd(string $kind, string $path, int $hold): ?array
    {
        $counts = [];
        foreach (array_keys($this->results) as $workload) {
            if (preg_match("/^$kind $path (\d+) $hold$/", $workload, $found) && isset($this->results[$workload]['ours'])) {
                $counts[] = (int) $found[1];
            }
        }
        $count = in_array(16, $counts, true) ? 16 : ($counts === [] ? 0 : max($counts));
        return $count === 0 ? null : ["$kind $path $count $hold", $count];
    }

    private function atHoldZero(): array
    {
        $rows = [];
        $ratios = [
            ['batch', '20 sections each', 'rate', 'sections a second', 6],
            ['visitors', 'back after 1 ms', 'rate', 'sections a second', 7],
            ['crowd', 'back at once', 'turns', 'changes of the holder a second', 7],
            ['crowd', 'back at once', 'rate', 'sections a second, one process\' own included', 7],
        ];
        foreach ($ratios as [$kind, $habits, $what, $name, $times]) {
            if ([$workload, $count] = $this->crowd($kind, 'direct', 0)) {
                $best = Wins::best(Peers::sound($this->results[$workload]), $what, 1)[0] ?? '';
                if ($best === '') {
                    continue; // nobody else took part
                }
                $ours = $this->of($workload, 'ours', $what);
                $ratio = Stats::ratios($ours, $this->of($workload, $best, $what));
                $rows[] = self::row("$count processes, hold 0, $habits: $name, of the best polling peer's", $ratio, '≥', $times, ", $best", $this->whyNot($workload, $best, $what, $times));
                $laravel = 'laravel-phpredis';
                $rows[] = self::row('the same, of Laravel\'s lock', Stats::ratios($ours, $this->of($workload, $laravel, $what)), '≥', 15, '', $this->whyNot($workload, $laravel, $what, 15));
            }
        }
        if ([$workload, $count] = $this->crowd('crowd', 'direct', 0)) {
            $rows[] = self::row("$count processes, hold 0: Jain's index", $this->of($workload, 'ours', 'jain'), '≥', 0.99);
        }
        return $rows;
    }

    /** Where one process takes the lock again and again, or where more is asked than hand-offs have time for. */
    private function whyNot(string $workload, string $peer, string $what, int $times): string
    {
        $jain = $this->median($workload, $peer, 'jain');
        $handOff = $this->median($workload, 'ours', 'handoff50');
        [$wanted, $most] = [$times * $this->median($workload, $peer, $what), 1000 / $handOff];
        return match (true) {
            $what === 'rate' && $jain < 0.9 => sprintf('its processes do not share: Jain\'s index %.2f', $jain),
            $wanted > $most => sprintf('that would be %s a second; a hand-off takes %.0f µs on these processors, which leaves time for %s', number_format($wanted, 0, '.', ' '), $handOff * 1000, number_format($most, 0, '.', ' ')),
            default => '',
        };
    }

    private function atHold(): array
    {
        $rows = [];
        foreach (self::PATHS as $path => $delayed) {
            if ([$workload, $count] = $this->crowd('crowd', $path, 1)) {
                $where = "$count processes, hold 1 ms$delayed";
                $show = fn ($what) => sprintf('%.0f µs', $this->median($workload, 'ours', $what) * 1000);
                $rows[] = self::row("$where: sections a second, of what the hold and the raw loop's two round trips before it allow", $this->of($workload, 'ours', 'of_allowed'), '≥', 0.95, ', ' . $show('trips'), 'the hand-off takes ' . $show('handoff50'));
                $rows[] = self::row('the same, with two round trips as they were at that time: twice a release', $this->of($workload, 'ours', 'of_own'), '≥', 0.95, ', a release takes ' . $show('release'));
                $rows[] = self::row("$where: p99 of the wait, of the ideal first come first served", $this->of($workload, 'ours', 'of_fifo'), '≤', 1.25, '', 'the ideal has those two round trips between two sections, ' . $show('trips') . '; the hand-off takes ' . $show('handoff50'));
                $rows[] = self::row("$where: Jain's index", $this->of($workload, 'ours', 'jain'), '≥', 0.99);
            }
        }
        return $rows;
    }

    private function asked(): array
    {
        $rows = $crowds = [];
        foreach (array_keys($this->results) as $workload) {
            if (preg_match('/^(crowd|visitors|batch) /', $workload)) {
                $crowds[] = $workload;
            } elseif (preg_match('/^waiting (\d+)$/', $workload, $found)) {
                $rows[] = self::row("$found[1] waiters: looks a second, of all together", $this->of($workload, 'ours', 'requests'), '≤', max(8, $found[1] / 5));
            }
        }
        $worst = [];
        foreach (['requests' => 4, 'commands' => 18] as $what => $bound) {
            usort($crowds, fn ($one, $other) => $this->median($other, 'ours', $what) <=> $this->median($one, 'ours', $what));
            $most = $crowds[0] ?? '';
            $worst[] = self::row("$what an acquisition, in the worst crowd", $this->of($most, 'ours', $what), '≤', $bound, ", $most");
        }
        return [...$worst, ...$rows];
    }

    private function handOffs(): array
    {
        $rows = [];
        foreach (self::PATHS as $path => $delayed) {
            foreach ([0, 1] as $hold) {
                $time = $this->of("crowd $path 2 $hold", 'ours', 'handoff50');
                if ($time !== []) {
                    $ping = $this->of(Bench::pingLike($path, $hold), 'limit', 'ms');
                    $what = "2 processes, hold $hold ms$delayed: p50 of the hand-off, of a PING " . ($hold === 0 ? 'after another' : 'each ms');
                    $why = 'a PING after another finds everybody awake, who waits for a lock has slept';
                    $rows[] = self::row($what, Stats::ratios($time, $ping), '≤', 2.5, sprintf(', a PING takes %.0f µs', Stats::median($ping) * 1000), $hold === 0 ? $why : '');
                }
            }
        }
        return $rows;
    }

    /** Where we were held against another commit. */
    private function before(): array
    {
        $rows = [];
        foreach ([['crowd', 0, 'back at once'], ['crowd', 1, 'back at once'], ['batch', 0, '20 sections each']] as [$kind, $hold, $habits]) {
            [$workload, $count] = $this->crowd($kind, 'direct', $hold) ?? ['', 0];
            $before = $this->of($workload, 'before', 'cpu');
            if ($before !== []) {
                $remark = sprintf(', before: %.0f µs', Stats::median($before) * 1e6);
                $rows[] = self::row("$count processes, hold $hold ms, $habits: processor time of Redis a section, of before", Stats::ratios($this->of($workload, 'ours', 'cpu'), $before), '≤', 0.75, $remark);
            }
        }
        return $rows;
    }

    /**
     * @param float[] $measured one number a run
     * @return array{string, string, string, string, string}
     */
    public static function row(string $what, array $measured, string $sign, float $bound, string $remark = '', string $why = ''): array
    {
        $show = fn ($number) => is_nan($number) ? '?' : number_format($number, $number >= 100 ? 0 : ($number >= 10 ? 1 : 3), '.', ' ');
        $median = Stats::median($measured);
        $known = !is_nan($median) && !is_nan($bound);
        $holds = $sign === '≤' ? $median <= $bound : $median >= $bound;
        $spread = count($measured) > 1 ? sprintf(' (%s–%s)', $show(min($measured)), $show(max($measured))) : '';
        return [$what, $show($median) . $spread, "$sign " . $show($bound) . $remark, $known ? ($holds ? 'yes' : '**no**') : 'not measured', $known && !$holds ? $why : ''];
    }
}
