<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** How long the server takes to answer, and what made it pause. */
final class Latency extends Check
{
    private const PINGS = 20;
    private const SLOW = 0.01;    // s: more than that, each time, is told
    private const PAUSE = 0.1;    // s: the same of a single pause
    private const RECENT = 3600;  // s: what is longer ago is not told

    /** What is half of the time in which a call wants an answer. */
    private readonly float $grave;

    public function __construct(private readonly Patient $patient)
    {
        $this->grave = (float) ini_get('redislock.read_timeout') / 2;
        $this->examineRoundTrips();
        $this->examineForks();
        $this->examineSlowCommands();
        $this->examineDeletions();
    }

    private function examineRoundTrips(): void
    {
        $took = [];
        for ($i = 0; $i < self::PINGS; $i++) {
            $start = hrtime(true);
            $this->patient->node->ping();
            $took[] = (hrtime(true) - $start) / 1e9;
        }
        sort($took);
        $median = $took[intdiv(self::PINGS, 2)];
        $longest = end($took);
        $this->patient->facts['round_trip'] = $median;
        $this->patient->facts['round_trip_max'] = $longest;
        $advice = 'see what it is busy with, and the network';
        $look = [$this->patient->cli('--latency-history'), $this->patient->cli('SLOWLOG', 'GET', '10')];
        if ($longest >= $this->grave) {
            $this->warn('latency', sprintf('one of %d round trips took %s, and calls give up after %s (read_timeout)', self::PINGS, self::time($longest), self::time(2 * $this->grave)), $advice, ...$look);
        } elseif ($median >= self::SLOW) {
            $this->note('latency', sprintf('a round trip takes %s, the longest of %d took %s: so long does each lock take at least', self::time($median), self::PINGS, self::time($longest)), 'bring it nearer, or lock for less', ...$look);
        } elseif ($longest >= self::PAUSE) {
            $this->note('latency', sprintf('one of %d round trips took %s: it pauses now and then', self::PINGS, self::time($longest)), $advice, ...$look);
        }
    }

    private function examineForks(): void
    {
        $took = ($this->patient->number('latest_fork_usec') ?? 0) / 1e6;
        $this->pause($took, 'to fork, for a snapshot, a rewrite of the AOF or a replica', 'give it less data, or turn huge pages off', 'echo never >/sys/kernel/mm/transparent_hugepage/enabled');
    }

    /** A pause that it has made, if it was long enough to be told. */
    private function pause(float $took, string $why, string $advice, string ...$commands): void
    {
        $what = sprintf('it stood still for %s %s', self::time($took), $why);
        match (true) {
            $took >= $this->grave => $this->warn('latency', "$what: calls that take longer than " . self::time(2 * $this->grave) . ' (read_timeout) fail, and leases are not renewed meanwhile', $advice, ...$commands),
            $took >= self::PAUSE => $this->note('latency', "$what: locks wait for that", $advice, ...$commands),
            default => null,
        };
    }

    /** What SLOWLOG and LATENCY remember of the last hour. Of a command only its name is told: the rest is other people's. */
    private function examineSlowCommands(): void
    {
        [$slow, $events, $time] = $this->patient->node->askAll([['SLOWLOG', 'GET', '128'], ['LATENCY', 'LATEST'], ['TIME']]);
        $refused = array_keys(array_filter(['SLOWLOG GET' => $slow, 'LATENCY LATEST' => $events], fn ($reply) => !is_array($reply)));
        if ($refused !== []) {
            $rights = array_map(fn ($command) => $this->patient->allow('+' . strtolower(strtr($command, ' ', '|'))), $refused);
            $this->notChecked('latency', implode(' and ', $refused) . ' refused: what made it pause lately is not known', 'allow it', ...$rights);
        }
        $since = (is_array($time) ? (int) $time[0] : time()) - self::RECENT;
        $longest = [0, ''];
        $count = 0;
        foreach (is_array($slow) ? $slow : [] as $entry) {
            [, $at, $took, $words] = $entry;
            $isLong = $at >= $since && $took / 1e6 >= self::PAUSE;
            $count += (int) $isLong;
            $longest = $isLong ? max($longest, [$took, strtoupper((string) ($words[0] ?? ''))]) : $longest;
        }
        if ($count > 0) {
            $this->pause($longest[0] / 1e6, "for a command of the last hour, $longest[1]" . ($count > 1 ? ", the longest of $count" : ''), 'find who sends it, and have it send less at once', $this->patient->cli('SLOWLOG', 'GET', '10'));
        }
        foreach (is_array($events) ? $events : [] as [$event, $at, $took]) {
            if ($at >= $since && !preg_match('/^(command|fork|aof-write-.*)$/', $event)) { // told above, or as a part of aof-write
                $this->pause($took / 1e3, "in the last hour ($event)", 'see what it advises', $this->patient->cli('LATENCY', 'DOCTOR'));
            }
        }
    }

    /** Locks are small; what others keep beside them may take long to delete. */
    private function examineDeletions(): void
    {
        $databases = count(preg_grep('/^db\d+$/', array_keys($this->patient->info)));
        if (($databases > 1 || $this->patient->isShared) && $this->patient->config('lazyfree-lazy-user-del') === 'no') {
            $this->note('latency', 'others keep data here, and whoever deletes a large key of theirs stops the server for as long as that takes', 'have it deleted in the background', ...$this->patient->set('lazyfree-lazy-user-del', 'yes'));
        }
    }

    private static function time(float $seconds): string
    {
        return $seconds < 1 ? sprintf('%.0f ms', 1000 * $seconds) : sprintf('%.1f s', $seconds);
    }
}

/** How far the server's clock is from this machine's, and from those of its replicas, and which of them matter. */
final class Clock extends Check
{
    public const NOTABLE = 0.1; // s
    public const GRAVE = 1.0;   // s; a lease lasts longer, or has no use

    public function __construct(Patient $patient)
    {
        $offset = self::offset($patient->node);
        $patient->facts['clock_offset'] = $offset;
        if ($offset === null) {
            $this->notChecked('clock', 'TIME is refused: how far its clock is from this machine\'s is not known', 'allow TIME', $patient->allow('+time'));
            return;
        }
        $this->tell($offset, 'its clock is ' . self::ahead($offset) . ' this machine\'s', 'leases do not care, but one of the two is not kept in time: when the server\'s is set in one step, leases end earlier or later by that');
        if ($patient->server->sentinels !== null || $patient->server->cluster !== null) {
            $this->compareReplicas($patient, $offset);
        }
    }

    /** A lease ends at a time of day, which a replica takes over, and counts by its own clock. */
    private function compareReplicas(Patient $patient, float $offset): void
    {
        for ($i = 0; ($line = $patient->get("slave$i")) !== null; $i++) {
            $where = Replicas::where(Replicas::fields($line));
            try {
                $apart = self::offset($patient->server->nodeAt($where));
            } catch (Failure) {
                $apart = null;
            }
            if ($apart === null) {
                $this->notChecked('clock', "how far the clock of its replica $where is from its own is not known: it cannot be asked from here");
                continue;
            }
            $apart -= $offset;
            $costs = $apart > 0 ? 'earlier, and somebody else may have the lock while its holder believes in it' : 'later, so the lock of a killed holder stays for longer';
            $this->tell($apart, "the clock of its replica $where is " . self::ahead($apart) . ' its own', "after a failover to it leases end by that $costs");
        }
    }

    private function tell(float $offset, string $what, string $why): void
    {
        $advice = 'keep the clocks of all of them with chrony';
        match (true) {
            abs($offset) >= self::GRAVE => $this->warn('clock', "$what: $why", $advice, 'chronyc tracking'),
            abs($offset) >= self::NOTABLE => $this->note('clock', "$what: $why", $advice, 'chronyc tracking'),
            default => null,
        };
    }

    public static function ahead(float $offset): string
    {
        return sprintf(abs($offset) < 10 ? '%.1f s %s' : '%.0f s %s', abs($offset), $offset > 0 ? 'ahead of' : 'behind');
    }

    /** Its clock less ours, in seconds, by the fastest of some answers, which is least in doubt. Null: it may not be asked. */
    private static function offset(Node $node): ?float
    {
        $best = [INF, 0.0];
        for ($i = 0; $i < 5; $i++) {
            $start = microtime(true);
            $time = $node->tryTo('TIME');
            $end = microtime(true);
            if (!is_array($time) || count($time) !== 2) {
                return null;
            }
            $best = min($best, [$end - $start, (int) $time[0] + (int) $time[1] / 1e6 - ($start + $end) / 2]);
        }
        [$took, $offset] = $best;
        return abs($offset) <= $took / 2 ? 0.0 : $offset; // no more than the answer was under way
    }
}
