<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** What the doctor says of one server, or of several that make a Redlock, as monitoring plugins say it. */
final class Diagnosis
{
    private const CHECKS = ['lock', 'role', 'memory', 'disk', 'database', 'replicas', 'connections', 'latency', 'clock', 'rights', 'version', 'leftovers'];
    private const STATUS = ['OK' => 0, 'WARNING' => 1, 'CRITICAL' => 2, 'UNKNOWN' => 3];

    /** @var list<Remark> gravest first */
    private readonly array $remarks;

    /**
     * @param array<string, array<string, mixed>> $facts by the servers' labels
     * @param list<Remark> $remarks
     * @param bool $strict whether a note counts as a warning does, and what was not checked as unknown
     */
    public function __construct(private readonly array $facts, array $remarks, private readonly bool $strict)
    {
        usort($remarks, fn (Remark $a, Remark $b) => $a->level->rank() <=> $b->level->rank()); // which is stable
        $this->remarks = $remarks;
    }

    public function status(): int
    {
        return self::STATUS[$this->word()];
    }

    /** The gravest: something that is known to be wrong comes before what is not known. */
    private function word(): string
    {
        $has = fn (Level ...$levels) => array_filter($this->remarks, fn ($remark) => in_array($remark->level, $levels, true)) !== [];
        return match (true) {
            $has(Level::Critical) => 'CRITICAL',
            $has(Level::Warning, ...($this->strict ? [Level::Note] : [])) => 'WARNING',
            $has(Level::Unknown, ...($this->strict ? [Level::NotChecked] : [])) => 'UNKNOWN',
            default => 'OK',
        };
    }

    /** One line: the status, why, what else there is, and numbers for graphs. */
    public function summary(): string
    {
        $count = fn (Level $level) => count(array_filter($this->remarks, fn ($remark) => $remark->level === $level));
        $first = $this->remarks[0] ?? null;
        $isTold = $first !== null && $first->level->rank() <= Level::Unknown->rank();
        $slowest = $this->extreme('lock_and_unlock');
        $text = $isTold ? $this->label() . ': ' . $this->told($first) : $this->label() . ': locked and unlocked in ' . Screen::milliseconds($slowest);
        $more = [];
        foreach ([[Level::Critical, 'critical', 'critical'], [Level::Warning, 'warning', 'warnings'], [Level::Unknown, 'unknown', 'unknown'], [Level::Note, 'note', 'notes']] as [$level, $one, $many]) {
            $n = $count($level) - (int) ($isTold && $first->level === $level);
            $n === 0 || $more[] = "$n " . ($isTold && $first->level === $level ? 'more ' : '') . ($n === 1 ? $one : $many);
        }
        $skipped = array_unique(array_map(fn ($remark) => $remark->about, array_filter($this->remarks, fn ($remark) => $remark->level === Level::NotChecked)));
        $tail = ($more === [] ? '' : '; ' . implode(', ', $more)) . ($skipped === [] ? '' : '; not checked: ' . implode(', ', $skipped));
        $numbers = $this->numbers();
        return strtr("REDISLOCK {$this->word()} - " . Screen::text($text . $tail), '|', '/') . ($numbers === '' ? '' : " | $numbers");
    }

    public function text(): string
    {
        $text = $this->summary() . "\n";
        foreach ($this->remarks as $remark) {
            $level = $remark->level;
            $label = $level->rank() <= Level::Unknown->rank() ? strtoupper($level->value) : $level->value;
            $text .= "\n$label, {$remark->about}: " . Screen::text($this->told($remark)) . "\n";
            $text .= $remark->advice === '' ? '' : '    ' . Screen::text($remark->advice) . ($remark->commands === [] ? '' : ':') . "\n";
            foreach ($remark->commands as $command) {
                $text .= "        $command\n"; // quoted so that a terminal may be shown it
            }
        }
        $sound = $this->sound();
        $text .= $sound === [] ? '' : "\nok: " . implode(', ', $sound) . "\n";
        foreach ($this->facts as $facts) {
            $text .= isset($facts['error']) ? '' : "\n" . rtrim(Screen::server($facts)) . "\n";
        }
        return $text;
    }

    /** @return list<string> what was checked everywhere, without a remark */
    private function sound(): array
    {
        $has = fn (string $fact) => array_filter($this->facts, fn ($facts) => isset($facts[$fact])) !== [];
        $checks = [...self::CHECKS, ...($has('sentinels') ? ['sentinels'] : []), ...($has('cluster') ? ['cluster'] : []), ...($has('local_turns') ? ['local turns'] : [])];
        $silent = $has('error') || $this->facts === [] || array_filter(array_merge(...array_column($this->facts, 'nodes')), fn ($node) => isset($node['error'])) !== [];
        return $silent ? [] : array_values(array_diff($checks, array_map(fn ($remark) => $remark->about, $this->remarks)));
    }

    /** @return array<string, mixed> */
    public function forJson(): array
    {
        $remarks = array_map(fn (Remark $remark) => $remark->forJson(), $this->remarks);
        return ['status' => $this->word(), 'exit' => $this->status(), 'summary' => $this->summary(), 'remarks' => $remarks, 'servers' => $this->facts];
    }

    private function told(Remark $remark): string
    {
        [$count, $each] = count($this->facts) > 1 ? [count($this->facts), 'server'] : [count(array_values($this->facts)[0]['nodes'] ?? []), 'master'];
        return $remark->where($count, $each) . $remark->what;
    }

    /** What was looked at. */
    private function label(): string
    {
        return count($this->facts) > 1 ? count($this->facts) . ' servers' : (array_key_first($this->facts) ?? 'redislock');
    }

    /** For graphs: the worst of all servers. */
    private function numbers(): string
    {
        $number = fn (string $label, ?float $value, string $form) => $value === null ? null : sprintf("$label=$form", $value);
        $percent = fn (array $of) => ($of['maxmemory'] ?? 0) > 0 ? 100 * $of['used_memory'] / $of['maxmemory'] : null;
        return implode(' ', array_filter([
            $number('lock', $this->extreme('lock_and_unlock'), '%.6fs'),
            $number('round_trip', $this->extreme('round_trip'), '%.6fs'),
            $number('round_trip_max', $this->extreme('round_trip_max'), '%.6fs'),
            $number('clock_offset', $this->extreme('clock_offset'), '%.3fs'),
            $number('memory', $this->extreme($percent), '%.1f%%'),
            $number('clients', $this->extreme('clients'), '%.0f'),
            $number('locks', $this->extreme('locks'), '%.0f'),
        ]));
    }

    /** The largest, whether it is above or below nought, of all nodes. Null: it is known of none. */
    private function extreme(string|\Closure $of): ?float
    {
        $nodes = array_merge(...array_map(fn ($facts) => array_values($facts['nodes'] ?? [$facts]), array_values($this->facts)));
        $values = array_filter(array_map(is_string($of) ? fn ($facts) => $facts[$of] ?? null : $of, $nodes), fn ($value) => $value !== null);
        usort($values, fn ($a, $b) => abs($b) <=> abs($a));
        return $values[0] ?? null;
    }
}

/** Looks over the servers, and says what to do. */
final class Doctor
{
    /** @var array<string, array<string, mixed>> */
    private array $facts = [];
    /** @var list<Remark> */
    private array $remarks = [];

    /** @param list<Server> $servers several make a Redlock @param ?string $user whose rights are checked */
    public function __construct(private readonly array $servers, private readonly ?string $user)
    {
    }

    public function examine(bool $strict): Diagnosis
    {
        foreach ($this->servers as $server) {
            array_push($this->remarks, ...$this->examineServer($server));
        }
        if (count($this->servers) > 1) {
            $this->judgeMajority();
            $this->compareClocks();
            if (array_column($this->facts, 'local_turns') !== []) {
                $this->remarks[] = Checkup::noLocalTurns('locks on several servers never are');
            }
        }
        return new Diagnosis($this->facts, $this->remarks, $strict);
    }

    /** @return list<Remark> */
    private function examineServer(Server $server): array
    {
        $further = [
            fn (Patient $patient) => new Limits($patient),
            fn (Patient $patient) => new Restart($patient),
            fn (Patient $patient) => new Version($patient),
            fn (Patient $patient) => new Replicas($patient),
            fn (Patient $patient) => new Latency($patient),
            fn (Patient $patient) => new Clock($patient),
            fn (Patient $patient) => new Rights($patient, $this->user),
            fn (Patient $patient) => new Leftovers($patient),
        ];
        $label = $server->address->label;
        try {
            $checkup = $server->cluster === null ? new Checkup($server, $server->masters()[0], fn () => true, $further) : new ClusterCheckup($server, $further);
            $this->facts[$label] = array_diff_key($checkup->run(), ['warnings' => 0, 'notes' => 0]);
            $remarks = $checkup->remarks;
        } catch (Failure $e) {
            $why = substr($e->getMessage(), strlen("$label: "));
            [$level, $what, $advice] = match (true) {
                str_contains($why, 'NOPERM') => [Level::Unknown, 'it cannot be asked', 'allow it'],
                (bool) preg_match('/NOAUTH|login/', $why) => [Level::Critical, 'it lets nobody in', 'see whether its users or passwords were changed'],
                default => [Level::Critical, 'it cannot be reached', 'see whether it runs, and whether it can be reached from here'],
            };
            $this->facts[$label] = ['server' => $label, 'error' => $why];
            $remarks = [new Remark($level, 'lock', "$what: $why", $advice)];
        }
        return count($this->servers) > 1 ? array_map(fn (Remark $remark) => $remark->at($label), $remarks) : $remarks;
    }

    /** What ends locks at one of several servers does no harm as long as a majority is sound. */
    private function judgeMajority(): void
    {
        $all = count($this->servers);
        $isBad = fn (Remark $remark) => $remark->level === Level::Critical;
        $bad = count(array_unique(array_merge(...array_column(array_filter($this->remarks, $isBad), 'nodes'))));
        usort($this->remarks, fn (Remark $a, Remark $b) => $isBad($b) <=> $isBad($a)); // they stay before other warnings
        if ($bad < $all / 2) {
            $this->remarks = array_map(fn (Remark $remark) => $isBad($remark) ? $remark->as(Level::Warning, 'locks go on, as the other servers are a majority') : $remark, $this->remarks);
        }
        $this->remarks = Remark::gather($this->remarks);
        if ($all % 2 === 0) {
            $this->remarks[] = new Remark(Level::Note, 'servers', "$all servers tolerate no more failures than " . $all - 1 . ' would', 'use an odd number of servers');
        }
    }

    private function compareClocks(): void
    {
        $offsets = array_filter(array_map(fn ($facts) => $facts['clock_offset'] ?? null, $this->facts), is_float(...));
        if (count($offsets) < 2) {
            return;
        }
        asort($offsets);
        $apart = end($offsets) - reset($offsets);
        if ($apart >= Clock::GRAVE) {
            $what = sprintf('the clock of %s is %s that of %s: if servers lose their data, fences may go back by that', array_key_last($offsets), Clock::ahead($apart), array_key_first($offsets));
            $this->remarks[] = new Remark(Level::Warning, 'clock', $what, 'keep the clocks of all of them with chrony', ['chronyc tracking']);
        }
    }
}
