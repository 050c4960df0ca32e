<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** What people see. */
final class Screen
{
    /** Names and tokens are any bytes: what a terminal would obey is written as \xNN. */
    public static function text(string $bytes): string
    {
        $pattern = preg_match('//u', $bytes) ? '/[\p{C}\\\\]/u' : '/[^\x20-\x7e]|\\\\/';
        $escape = fn (array $found) => $found[0] === '\\' ? '\\\\' : implode('', array_map(fn ($byte) => sprintf('\x%02x', ord($byte)), str_split($found[0])));
        return preg_replace_callback($pattern, $escape, $bytes);
    }

    /** The same for a table, which a long name would tear apart: 60 characters. `show` and --json have all of it. */
    private static function short(string $bytes): string
    {
        return preg_replace('/^(.{59}).{2,}$/us', '$1…', self::text($bytes));
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

    /** @param array<string, array<string, mixed>> $masters of a cluster */
    public static function masters(array $masters): string
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
            'held' => (string) $lock->owner,
            'passing' => '(being handed to a waiter)',
            'foreign' => '(a key of another type)',
        };
    }

    /** @param list<Lock> $locks */
    public static function table(array $locks): string
    {
        $row = fn (Lock $lock) => [self::short($lock->name), self::short(self::owner($lock)), self::seconds($lock->remaining), (string) $lock->waiters];
        return self::columns([['NAME', 'OWNER', 'LEASE', 'WAITERS'], ...array_map($row, $locks)], 2);
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
        $widths = array_map(fn ($column) => max(array_map(self::width(...), array_column($rows, $column))), array_keys($rows[0]));
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

    /** In columns of a terminal, where East Asian characters take two. */
    private static function width(string $text): int
    {
        return preg_match_all('/./us', $text) + preg_match_all('/[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\x{3000}-\x{303f}\x{ff01}-\x{ff60}]/u', $text);
    }
}
