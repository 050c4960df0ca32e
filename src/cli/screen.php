<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** What people see. */
final class Screen
{
    private const WIDTH = 100; // columns of the table of locks
    private const LEAST = 30; // of a name or an owner, if that is too wide
    private const TOKEN = 26; // of an owner that is told by nothing but a token
    private const WAITERS = 20; // that are shown

    /**
     * Names and tokens are any bytes: what a terminal would obey is written as \xNN, and if a backslash could be mistaken for
     * the beginning of that, it is written twice.
     */
    public static function text(string $bytes): string
    {
        $hidden = preg_match('//u', $bytes) ? '[\p{C}\p{Zl}\p{Zp}]' : '[^\x20-\x7e]';
        $pattern = "/$hidden|\\\\(?=$hidden|\\\\|x[0-9a-f]{2})/" . (preg_match('//u', $bytes) ? 'u' : '');
        $escape = fn (array $found) => $found[0] === '\\' ? '\\\\' : implode('', array_map(fn ($byte) => sprintf('\x%02x', ord($byte)), str_split($found[0])));
        return preg_replace_callback($pattern, $escape, $bytes);
    }

    public static function isHarmless(string $bytes): bool
    {
        return (bool) preg_match('/^[^\p{C}\p{Zl}\p{Zp}]*$/Du', $bytes);
    }

    /** So much of a name or a token as belongs into a sentence; still any bytes. */
    public static function clipped(string $bytes): string
    {
        return preg_replace('/^(.{59}).{2,}$/us', '$1…', $bytes) ?? preg_replace('/^(.{59}).{2,}$/s', '$1…', $bytes);
    }

    /** JSON as it is, but that a terminal which shows it would obey nothing in it. */
    public static function json(string $json): string
    {
        $escape = fn (array $found) => $found[0] === "\x7f" ? '\u007f' : trim(json_encode($found[0]), '"');
        return preg_replace_callback('/[^\P{C}\n]/u', $escape, $json);
    }

    /** The same for a table, which a long text would tear apart: cut to so many columns. `show` and --json have all of it. */
    private static function short(string $bytes, int $columns): string
    {
        $most = $columns + 1; // characters of one column at least
        return self::cut(self::text(preg_match("/\A.{0,$most}/us", $bytes, $found) ? $found[0] : substr($bytes, 0, $most)), $columns);
    }

    /** Cuts what a terminal may be shown. */
    private static function cut(string $text, int $columns): string
    {
        if (self::width($text) <= $columns) {
            return $text;
        }
        preg_match('/\A.{0,' . $columns - 1 . '}/us', $text, $found);
        for ($text = $found[0]; self::width($text) >= $columns;) {
            $text = preg_replace('/.\z/us', '', $text);
        }
        return "{$text}…";
    }

    public static function seconds(?float $seconds): string
    {
        return $seconds === null ? 'no end' : sprintf($seconds < 100 ? '%.1f s' : '%.0f s', $seconds);
    }

    public static function milliseconds(?float $seconds): string
    {
        return $seconds === null ? 'refused' : sprintf('%.2f ms', $seconds * 1000);
    }

    public static function megabytes(?int $bytes): string
    {
        return $bytes === null ? 'unknown' : sprintf('%.1f MB', $bytes / 1048576);
    }

    /** @param array<string, mixed> $facts of a server */
    public static function memory(array $facts): string
    {
        $limit = $facts['maxmemory'] === 0 ? 'no limit' : self::megabytes($facts['maxmemory']);
        return self::megabytes($facts['used_memory']) . " of $limit, " . ($facts['maxmemory_policy'] ?? 'policy unknown');
    }

    /** @param array<string, mixed> $facts of a server, or of a cluster */
    public static function server(array $facts): string
    {
        return isset($facts['cluster']) ? self::cluster($facts) : self::node($facts);
    }

    /** @param array<string, mixed> $facts */
    private static function node(array $facts): string
    {
        $disk = $facts['aof'] === null ? 'unknown' : ($facts['aof'] ? 'AOF' : 'no AOF');
        $disk .= $facts['save'] === null ? '' : ($facts['save'] === '' ? ', no snapshots' : ", snapshots ({$facts['save']})");
        $sentinels = $facts['sentinels'] ?? null;
        return self::facts([
            'server' => $facts['server'],
            'master' => $facts['master'] ?? null,
            'sentinels' => $sentinels === null ? null : "{$sentinels['answered']} of {$sentinels['named']} answer, quorum " . ($facts['quorum'] ?? 'unknown'),
            'version' => implode(' ', array_filter([$facts['product'], $facts['version'], $facts['mode'], $facts['role']])) ?: 'unknown',
            'round trip' => self::milliseconds($facts['round_trip']),
            'lock, unlock' => self::milliseconds($facts['lock_and_unlock']),
            'memory' => self::memory($facts),
            'disk' => $disk,
            'replicas' => (string) ($facts['replicas'] ?? 'unknown'),
            'keys' => (string) ($facts['keys'] ?? 'unknown'),
        ]);
    }

    /** @param array<string, mixed> $facts */
    private static function cluster(array $facts): string
    {
        $of = $facts['cluster'];
        $nodes = $of['masters'] + $of['replicas'];
        return self::facts([
            'server' => $facts['server'],
            'cluster' => ($of['state'] ?? 'state unknown') . ", {$of['slots']} of " . Cluster::SLOTS . ' slots have a master',
            'nodes' => "{$of['masters']} masters, {$of['replicas']} replicas; " . $nodes - count($of['silent']) . " of $nodes answer",
        ]) . "\n" . self::masters($facts['nodes']) . "\n";
    }

    /** @param array<string, array<string, mixed>> $masters of a cluster */
    private static function masters(array $masters): string
    {
        $row = fn (array $facts) => isset($facts['error']) ? [self::text($facts['server']), 'no answer', '', '', '', '', '', ''] : [
            self::text($facts['server']),
            self::text(implode(' ', array_filter([$facts['product'], $facts['version']])) ?: 'unknown'),
            self::text(self::memory($facts)),
            match ($facts['aof']) { null => 'unknown', true => 'AOF', false => 'no AOF' },
            self::milliseconds($facts['round_trip']),
            self::milliseconds($facts['lock_and_unlock']),
            (string) ($facts['replicas'] ?? 'unknown'),
            (string) ($facts['keys'] ?? 'unknown'),
        ];
        return self::columns([['MASTER', 'VERSION', 'MEMORY', 'DISK', 'ROUND TRIP', 'LOCK, UNLOCK', 'REPLICAS', 'KEYS'], ...array_map($row, array_values($masters))], 4);
    }

    public static function owner(Lock $lock): string
    {
        return match ($lock->state) {
            'held' => self::who($lock->owner),
            'passing' => '(being handed to a waiter)',
            'foreign' => '(a key of another type)',
        };
    }

    private static function who(Owner $owner): string
    {
        $who = $owner->description ?? $owner->token;
        return match ($owner->kind) {
            'lock' => $who,
            'build' => "$who (builds a value)",
            'value' => "$who (for the value)",
            'foreign' => "foreign: $who",
        };
    }

    /** A span of time, in as few characters as a table has room for; a float has tenths of a second, if these matter. */
    private static function span(int|float|null $seconds): string
    {
        return match (true) {
            $seconds === null => '',
            is_float($seconds) && $seconds < 10 => sprintf('%.1f s', $seconds),
            $seconds < 120 => sprintf('%d s', $seconds),
            $seconds < 7200 => sprintf('%d min', $seconds / 60),
            $seconds < 172800 => sprintf('%d h', $seconds / 3600),
            default => sprintf('%d d', $seconds / 86400),
        };
    }

    public static function since(Lock $lock): ?string
    {
        $since = $lock->owner?->since;
        return $since === null ? null : date('Y-m-d H:i:s T', (int) $since) . ', ' . self::span($lock->owner->age($lock->now)) . ' ago';
    }

    /** @param ?list<array{address: string, idle: int}> $connections */
    public static function connections(?array $connections): ?string
    {
        $texts = array_map(fn ($connection) => "from {$connection['address']}, idle " . self::span($connection['idle']), $connections ?? []);
        return $connections === null ? null : (implode('; ', array_slice($texts, 0, 3)) ?: 'no longer, or under another name');
    }

    public static function lease(Lock $lock): string
    {
        return self::seconds($lock->remaining) . match ($lock->owner?->renewed) { null => '', true => ', renewed', false => ', not renewed' };
    }

    /** For how long its owner had it: what goes on the sentence that took it away. */
    public static function hadIt(Lock $lock): string
    {
        $age = $lock->owner?->age($lock->now);
        return $age === null ? '' : ' after ' . self::span($age);
    }

    /** @param list<Lock> $locks */
    public static function table(array $locks): string
    {
        $row = fn (Lock $lock) => [
            self::short($lock->name, self::WIDTH),
            self::short(self::owner($lock), $lock->owner !== null && $lock->owner->description === null ? self::TOKEN : self::WIDTH),
            self::span($lock->owner?->age($lock->now)),
            self::seconds($lock->remaining),
            match ($lock->owner?->renewed) { null => '', true => 'yes', false => 'no' },
            (string) $lock->waiters,
        ];
        return self::columns(self::fit([['NAME', 'OWNER', 'AGE', 'LEASE', 'RENEWED', 'WAITERS'], ...array_map($row, $locks)]), 2);
    }

    /** Who waits, below the facts of a lock. */
    public static function line(?Line $line, Lock $lock): string
    {
        if ($line === null || $line->waiters === []) {
            return '';
        }
        $row = fn (Owner $waiter) => [self::short(self::who($waiter), self::WIDTH - 12), self::span($waiter->age($lock->now))];
        $more = max($lock->waiters, count($line->waiters)) - self::WAITERS;
        return "\n" . self::columns([['WAITING', 'FOR'], ...array_map($row, array_slice($line->waiters, 0, self::WAITERS))], 1)
            . ($more > 0 ? "and $more more\n" : '');
    }

    /**
     * Cuts names and owners, which stand in the first two columns, so that the lines are no wider than WIDTH: the owners first.
     *
     * @param list<list<string>> $rows of what a terminal may be shown
     * @return list<list<string>>
     */
    private static function fit(array $rows): array
    {
        $widths = self::widths($rows);
        $room = self::WIDTH - array_sum($widths) - 2 * (count($widths) - 1) + $widths[0] + $widths[1];
        $owner = min($widths[1], max(self::LEAST, $room - $widths[0]));
        return array_map(fn ($row) => [self::cut($row[0], $room - $owner), self::cut($row[1], $owner), ...array_slice($row, 2)], $rows);
    }

    /** @param array<string, ?string> $facts label => value; null: it is not there */
    public static function facts(array $facts): string
    {
        $facts = array_filter($facts, is_string(...));
        return self::columns(array_map(null, array_keys($facts), array_map(self::text(...), $facts)), 2);
    }

    /**
     * @param list<list<string>> $rows of what a terminal may be shown
     * @param int $left so many columns are flush left, those behind them flush right
     */
    private static function columns(array $rows, int $left): string
    {
        $widths = self::widths($rows);
        $lines = '';
        foreach ($rows as $row) {
            foreach ($row as $column => $text) {
                $space = str_repeat(' ', $widths[$column] - self::width($text));
                $row[$column] = $column < $left ? $text . $space : $space . $text;
            }
            $lines .= rtrim(implode('  ', $row)) . "\n";
        }
        return $lines;
    }

    /** @param list<list<string>> $rows @return list<int> those of the columns */
    private static function widths(array $rows): array
    {
        return array_map(fn ($column) => max(array_map(self::width(...), array_column($rows, $column))), array_keys($rows[0]));
    }

    /** In columns of a terminal, where East Asian characters take two. */
    private static function width(string $text): int
    {
        return preg_match_all('/./us', $text) + preg_match_all('/[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\x{3000}-\x{303f}\x{ff01}-\x{ff60}]/u', $text);
    }
}
