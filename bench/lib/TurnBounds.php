<?php
declare(strict_types=1);

namespace Bench;

/** The targets of local turns. */
final class TurnBounds
{
    private const ON = 'ours-local';

    /** @param array<string, array<string, array<string, float[]>>> $results see Bench */
    public function __construct(private readonly array $results)
    {
    }

    /** @return array<array{string, string, string, string, string}> as in Bounds; none where they were not measured */
    public function table(): array
    {
        return [...$this->rates(), ...$this->crowds(), ...$this->sale(), ...$this->idle()];
    }

    /** @return float[] one number a run */
    private function of(string $workload, string $what, string $peer = self::ON): array
    {
        return $this->results[$workload][$peer][$what] ?? [];
    }

    /** @return float[] of each run */
    private function gain(string $workload, string $what): array
    {
        return Stats::ratios($this->of($workload, $what), $this->of($workload, $what, 'ours'));
    }

    /** @return string[] the workloads whose names match, in which local turns were measured */
    private function measured(string $pattern): array
    {
        return array_filter(preg_grep($pattern, array_keys($this->results)), fn ($workload) => isset($this->results[$workload][self::ON]));
    }

    private function rates(): array
    {
        $rows = [];
        foreach ($this->measured('/^crowd delayed 16 1$/') as $workload) {
            $rows[] = Bounds::row('local turns, 16 processes, hold 1 ms, delayed: sections a second, of 1/hold', $this->of($workload, 'of_hold'), '≥', 0.9);
            $rows = [...$rows, ...$this->besideControl($workload, 'of_hold', '≥', 0.9)];
        }
        foreach ($this->measured('/^crowd (direct|tcp) 16 0$/') as $workload) {
            $rows[] = Bounds::row("local turns, $workload: sections a second, of those without", $this->gain($workload, 'rate'), '≥', 1.8);
        }
        return $rows;
    }

    /** The same, of what this machine allows at most: measured in the same rounds, where it was. */
    private function besideControl(string $workload, string $what, string $sign, float $bound): array
    {
        $control = $this->of($workload, $what, Peer::control()->id);
        $remark = sprintf(', which is %.2f', Stats::median($control));
        return $control === [] ? [] : [Bounds::row('the same, of the machine\'s own limit', Stats::ratios($this->of($workload, $what), $control), $sign, $bound, $remark)];
    }

    /** What holds for each crowd is told of the worst. */
    private function crowds(): array
    {
        $bounds = [
            ['requests a section', '/^(crowd|fpm) \w+ 16 /', 'requests', '≤', 1.1],
            ['Jain\'s index', '/^(crowd|machines|mixed) \w+ 16 /', 'jain', '≥', 0.99],
            ['p99 of the wait, of the ideal first come first served', '/^crowd \w+ 16 1$/', 'of_ideal', '≤', 1.2],
            ['the same of two machines', '/^machines \w+ 16 1$/', 'of_ideal', '≤', 1.2],
            ['overlaps', '/^(crowd|few|visitors|batch|machines|mixed|fpm|burst) /', 'overlaps', '≤', 0],
        ];
        $rows = [];
        foreach ($bounds as [$name, $pattern, $what, $sign, $bound]) {
            $workloads = $this->measured($pattern);
            $worst = fn ($workload) => ($sign === '≤' ? -1 : 1) * Stats::median($this->of($workload, $what));
            usort($workloads, fn ($one, $other) => $worst($one) <=> $worst($other));
            if ($workloads !== []) {
                $rows[] = Bounds::row("local turns, in the worst crowd: $name", $this->of($workloads[0], $what), $sign, $bound, ", $workloads[0]");
                $rows = [...$rows, ...($what === 'of_ideal' ? $this->besideControl($workloads[0], $what, $sign, $bound) : [])];
            }
        }
        return $rows;
    }

    private function sale(): array
    {
        if ($this->of('sale', 'rate') === []) {
            return [];
        }
        [$peer, $best] = Wins::best(Peers::sound($this->results['sale']), 'p99', -1);
        $rows = [Bounds::row('local turns, flash sale: requests a second, of those without', $this->gain('sale', 'rate'), '≥', 1.3)];
        return $peer === null ? $rows : [...$rows, Bounds::row('the same: p99, ms', $this->of('sale', 'p99'), '≤', $best, ", $peer")];
    }

    private function idle(): array
    {
        $row = fn ($workload) => Bounds::row("local turns, $workload: processor time of all who wait, % of a processor", array_map(fn ($share) => 100 * $share, $this->of($workload, 'waiters')), '≤', 0.2);
        return array_map($row, array_values($this->measured('/^idle /')));
    }
}
