<?php
declare(strict_types=1);

namespace Bench;

/** What a crowd of processes that wanted one lock lived through. All times are ns. */
final class Crowd
{
    private const LATER = 1000000; // who asked less than this before another counts as having come with it

    /** @var array<int, array<array{int, int, int, int}>> number of the process => its sections: asked, got, release began, release ended */
    private array $sections = [];
    /** @var array<array{int, int, int, int, int}> all that were served, in order: the same, and the process */
    private array $served = [];
    public readonly int $givenUp;
    /** @var float[] in ms, sorted */
    public readonly array $waits;

    /** @param string $folder has a file for each process */
    public function __construct(string $folder, private readonly int $from, private readonly int $until)
    {
        $givenUp = 0;
        $waits = [];
        foreach (glob("$folder/*") as $file) {
            $i = (int) basename($file);
            $numbers = array_values(unpack('q*', file_get_contents($file)) ?: []);
            $this->sections[$i] = array_chunk($numbers, 4);
            foreach ($this->sections[$i] as $section) {
                if ($section[1] === 0) {
                    $givenUp++;
                    continue;
                }
                $this->served[] = [...$section, $i];
                $waits[] = ($section[1] - $section[0]) / 1e6;
            }
        }
        usort($this->served, fn ($a, $b) => $a[1] <=> $b[1]);
        sort($waits);
        $this->waits = $waits;
        $this->givenUp = $givenUp;
    }

    public function count(): int
    {
        return count($this->served);
    }

    /** Sections that were over in time. */
    public function inTime(): int
    {
        return array_sum($this->perProcess());
    }

    /** The same, of those alone that followed another process' section. */
    public function turns(): int
    {
        $turns = 0;
        $last = -1;
        foreach ($this->served as [, , $released, , $process]) {
            $turns += $process !== $last && $released <= $this->until ? 1 : 0;
            $last = $process;
        }
        return $turns;
    }

    public function jain(): float
    {
        return Stats::jain($this->perProcess());
    }

    /** What those whose numbers are below $end had of the sections of all. */
    public function shareBelow(int $end): float
    {
        $sections = $this->perProcess();
        $theirs = array_filter($sections, fn ($number) => $number < $end, ARRAY_FILTER_USE_KEY);
        return array_sum($theirs) / max(1, array_sum($sections));
    }

    /** @return array<int, int> */
    private function perProcess(): array
    {
        $in_time = fn ($section) => $section[1] !== 0 && $section[2] <= $this->until;
        return array_map(fn ($sections) => count(array_filter($sections, $in_time)), $this->sections);
    }

    /** How long a section really took, in ms, on average. */
    public function hold(): float
    {
        $held = array_filter($this->served, fn ($section) => $section[1] < $this->until);
        return Stats::mean(array_map(fn ($section) => ($section[2] - $section[1]) / 1e6, $held));
    }

    /** How long a release took, in ms: a round trip, as they were at that time. */
    public function release(): float
    {
        return Stats::median(array_map(fn ($section) => ($section[3] - $section[2]) / 1e6, $this->served));
    }

    /** How long one waits, in ms, where so many take turns, and nothing but their sections takes time; of hold 0, at this rate. */
    public function ideal(int $processes, int $hold, float $rate): float
    {
        return ($processes - 1) * ($hold > 0 ? $this->hold() : 1000 / $rate);
    }

    /** From the begin of a release to the return of the next one, who was waiting by then, in ms. */
    public function handOffs(): array
    {
        $times = [];
        for ($i = 1; $i < count($this->served); $i++) {
            $released = $this->served[$i - 1][2];
            if ($this->served[$i][0] < $released && $this->served[$i][1] >= $released) {
                $times[] = ($this->served[$i][1] - $released) / 1e6;
            }
        }
        return $times;
    }

    /** Sections that began before the one before had ended: must be none. */
    public function overlaps(): int
    {
        $overlaps = 0;
        $end = 0;
        foreach ($this->served as $section) {
            $overlaps += $section[1] < $end ? 1 : 0;
            $end = max($end, $section[2]);
        }
        return $overlaps;
    }

    /** How many who had waited longer were passed over, a section. */
    public function overtaken(): float
    {
        $next = array_fill_keys(array_keys($this->sections), 0);
        $passed = 0;
        foreach ($this->served as [$asked, , , , $process]) {
            $next[$process]++;
            foreach ($next as $other => $at) {
                $waiting = $this->sections[$other][$at][0] ?? PHP_INT_MAX;
                $passed += $waiting < $asked - self::LATER ? 1 : 0;
            }
        }
        return $this->served === [] ? NAN : $passed / count($this->served);
    }

    /** Until all were served, in ms. */
    public function span(): float
    {
        return $this->served === [] ? NAN : (max(array_column($this->served, 2)) - $this->from) / 1e6;
    }
}
