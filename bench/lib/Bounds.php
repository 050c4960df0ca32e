<?php
declare(strict_types=1);

namespace Bench;

/** What must hold, and whether it does. */
final class Bounds
{
    /** @param array<string, array<string, array<string, float[]>>> $results see Bench */
    public function __construct(private readonly array $results)
    {
    }

    /** The median over the runs; NAN: not measured. */
    private function of(string $workload, string $peer, string $what): float
    {
        return Stats::median($this->results[$workload][$peer][$what] ?? []);
    }

    /** @return array<array{string, string, string, string}> what, measured, bound, yes or no or why not known */
    public function table(): array
    {
        return [
            $this->row('a pair costs, of the raw loop\'s time, unix socket', $this->of('uncontended unix', 'ours', 'to_limit'), '≤', 1.05),
            $this->row('the same by medians', $this->of('uncontended unix', 'ours', 'p50_to_limit'), '≤', 1.05),
            $this->row('a pair costs, of the raw loop\'s time, TCP', $this->of('uncontended tcp', 'ours', 'to_limit'), '≤', 1.05),
            $this->row('the same by medians', $this->of('uncontended tcp', 'ours', 'p50_to_limit'), '≤', 1.05),
            $this->row('instructions a pair in user space', $this->of('instructions', 'ours', 'pair'), '≤', $this->of('instructions', 'class-a', 'pair'), ', class A over phpredis'),
            ...$this->crowded(),
            ...$this->asked(),
            ...$this->handOffs(),
        ];
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

    private function crowded(): array
    {
        $rows = [];
        // Sections a second of who comes back at once say nothing of a lock: with polls, one process has them all.
        $ratios = ['batch' => ['20 sections each', 'rate'], 'visitors' => ['back after 1 ms', 'rate'], 'crowd' => ['back at once', 'turns']];
        foreach ($ratios as $kind => [$habits, $what]) {
            if ([$workload, $count] = $this->crowd($kind, 'direct', 0)) {
                $name = $what === 'rate' ? 'sections a second' : 'changes of the holder a second';
                $rate = $this->of($workload, 'ours', $what);
                $best = $this->best($workload, $what);
                $rows[] = $this->row("$count processes, hold 0, $habits: $name, of the best polling peer's", $rate / ($best[1] ?? NAN), '≥', 7, $best ? ", $best[0]" : '');
                $rows[] = $this->row('the same, of Laravel\'s lock', $rate / $this->of($workload, 'laravel-phpredis', $what), '≥', 15);
            }
        }
        if ([$workload, $count] = $this->crowd('crowd', 'direct', 0)) {
            $rows[] = $this->row("$count processes, hold 0: Jain's index", $this->of($workload, 'ours', 'jain'), '≥', 0.99);
        }
        foreach (['direct' => 'unix', 'delayed' => 'delayed'] as $path => $socket) {
            if ([$workload, $count] = $this->crowd('crowd', $path, 1)) {
                $where = "$count processes, hold 1 ms" . ($path === 'delayed' ? ', delayed' : '');
                // What two round trips cost is what the limit needs for its two.
                $cycle = $this->of($workload, 'ours', 'hold') + $this->of("uncontended $socket", 'limit', 'mean');
                $rows[] = $this->row("$where: sections a second, of what the hold and two round trips allow", $this->of($workload, 'ours', 'rate') / (1000 / $cycle), '≥', 0.95);
                $rows[] = $this->row("$where: p99 of the wait, of the ideal first come first served", $this->of($workload, 'ours', 'p99') / (($count - 1) * $cycle), '≤', 1.25);
                $rows[] = $this->row("$where: Jain's index", $this->of($workload, 'ours', 'jain'), '≥', 0.99);
            }
        }
        return $rows;
    }

    /** @return array{string, float}|null peer, its number */
    private function best(string $workload, string $what): ?array
    {
        $rates = [];
        foreach (array_keys($this->results[$workload]) as $peer) {
            if ($peer !== 'ours') {
                $rates[$peer] = $this->of($workload, $peer, $what);
            }
        }
        arsort($rates);
        return $rates === [] ? null : [key($rates), reset($rates)];
    }

    private function asked(): array
    {
        $rows = [];
        $most = [NAN, ''];
        foreach (array_keys($this->results) as $workload) {
            if (preg_match('/^(crowd|visitors|batch) /', $workload)) {
                $requests = $this->of($workload, 'ours', 'requests');
                $most = $requests > $most[0] || is_nan($most[0]) ? [$requests, $workload] : $most;
            } elseif (preg_match('/^waiting (\d+)$/', $workload, $found)) {
                $rows[] = $this->row("$found[1] waiters: looks a second, of all together", $this->of($workload, 'ours', 'requests'), '≤', max(8, $found[1] / 5));
            }
        }
        array_unshift($rows, $this->row('requests an acquisition, in the worst crowd', $most[0], '≤', 4, $most[1] === '' ? '' : ", $most[1]"));
        return $rows;
    }

    private function handOffs(): array
    {
        $rows = [];
        foreach (['direct', 'delayed'] as $path) {
            foreach ([0 => 'at once', 1 => 'paced'] as $hold => $how) {
                $ping = $this->of("ping $path $how", 'limit', 'ms');
                $time = $this->of("crowd $path 2 $hold", 'ours', 'handoff50');
                if (!is_nan($time)) {
                    $what = "2 processes, hold $hold ms" . ($path === 'delayed' ? ', delayed' : '') . ': p50 of the hand-off, of a PING '
                        . ($hold === 0 ? 'after another' : 'each ms');
                    $rows[] = $this->row($what, $time / $ping, '≤', 2.5, sprintf(', a PING takes %.0f µs', $ping * 1000));
                }
            }
        }
        return $rows;
    }

    private function row(string $what, float $measured, string $sign, float $bound, string $remark = ''): array
    {
        $holds = $sign === '≤' ? $measured <= $bound : $measured >= $bound;
        $show = fn ($number) => is_nan($number) ? '?' : number_format($number, $number >= 100 ? 0 : ($number >= 10 ? 1 : 3), '.', ' ');
        return [$what, $show($measured), "$sign " . $show($bound) . $remark, is_nan($measured) || is_nan($bound) ? 'not measured' : ($holds ? 'yes' : '**no**')];
    }
}
