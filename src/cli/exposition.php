<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** What RedisLock::metrics() returns, as Prometheus reads it: its text format 0.0.4, or OpenMetrics 1.0. */
final class Exposition
{
    public const TYPE = 'text/plain; version=0.0.4; charset=utf-8';
    public const OPEN_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

    /** Of each group: name, help, and for each value of its label (null: it has none) where the number is. */
    private const COUNTERS = [
        ['acquire', 'Calls that asked for a lock, by what came of them.', 'outcome', ['acquired', 'timed_out', 'held', 'full', 'failed', 'interrupted']],
        ['contended', 'Locks that were acquired, but held by another at first.', null, ['waited']],
        ['released', 'Locks that were released in time.', null, ['released']],
        ['unreleased', 'Releases that failed; they are sent again.', null, ['unreleased']],
        ['lost', 'Locks that were found lost: when they were released or extended, or by the thread that renews them.', 'found', ['lost', 'lost_while_held']],
        ['renewals', 'Renewals of leases, and those without a good answer.', 'outcome', ['renewed', 'renewal_failures']],
        ['values', 'Calls of remember() and once() that built no value, by what they found.', 'outcome', ['value_fresh', 'value_stale', 'value_built', 'value_none']],
    ];
    /** How those values are called in a label, if it is not by the number's own name. */
    private const LABELS = ['lost' => 'release', 'lost_while_held' => 'renewal', 'renewal_failures' => 'failed', 'value_fresh' => 'fresh', 'value_stale' => 'stale', 'value_built' => 'built', 'value_none' => 'none'];
    private const HISTOGRAMS = [
        'wait' => 'How long locks had to be waited for that were acquired.',
        'hold' => 'How long locks were held that were released.',
    ];
    private const OVERALL = [
        'connections' => 'Connections to servers that were made.',
        'reconnects' => 'Connections that replaced one that was lost.',
        'script_reloads' => 'Scripts that were sent with their text, since the server did not know them.',
    ];

    private string $text = '';

    /** @param list<float> $bounds the ends of the buckets */
    private function __construct(private readonly array $bounds, private readonly bool $open)
    {
    }

    /**
     * @param array<string, mixed> $numbers of a machine or a process
     * @param list<float> $bounds
     */
    public static function of(array $numbers, array $bounds, bool $open): string
    {
        $page = new self($bounds, $open);
        $groups = self::byLabel($numbers['groups']);
        foreach (self::HISTOGRAMS as $name => $help) {
            $page->histogram($name, $help, $groups);
        }
        foreach (self::COUNTERS as [$name, $help, $label, $fields]) {
            $page->head($name, $help);
            foreach ($groups as $group => $counts) {
                foreach ($fields as $field) {
                    $page->count($name, ['group' => (string) $group] + ($label === null ? [] : [$label => self::LABELS[$field] ?? $field]), $counts[$field]);
                }
            }
        }
        foreach (self::OVERALL as $name => $help) {
            $page->head($name, $help);
            $page->count($name, [], $numbers[$name]);
        }
        $page->head('errors', 'Errors that calls were told of, by kind.');
        foreach ($numbers['errors'] as $kind => $count) {
            $page->count('errors', ['kind' => $kind], $count);
        }
        return $page->text . ($open ? "# EOF\n" : '');
    }

    /**
     * Groups whose names are written alike are one.
     *
     * @param array<string, array<string, mixed>> $groups
     * @return array<string, array<string, mixed>>
     */
    private static function byLabel(array $groups): array
    {
        $all = [];
        foreach ($groups as $name => $counts) {
            $label = self::readable((string) $name);
            $all[$label] = isset($all[$label]) ? self::add($all[$label], $counts) : $counts;
        }
        return $all;
    }

    private static function add(mixed $one, mixed $other): mixed
    {
        if (!is_array($one)) {
            return $one + $other;
        }
        foreach ($other as $key => $value) {
            $one[$key] = self::add($one[$key], $value);
        }
        return $one;
    }

    /** A name may be any bytes. Those that are no text are written as \xHH. */
    private static function readable(string $name): string
    {
        $bytes = preg_match('//u', $name) ? '/[\x00-\x1f\x7f]/' : '/[\x00-\x1f\x7f-\xff]/';
        return preg_replace_callback($bytes, fn ($byte) => sprintf('\x%02x', ord($byte[0])), $name);
    }

    private function head(string $name, string $help, string $type = 'counter'): void
    {
        $name = "redislock_$name" . ($type === 'counter' && !$this->open ? '_total' : '');
        $this->text .= "# HELP $name $help\n# TYPE $name $type\n" . ($this->open && $type === 'histogram' ? "# UNIT $name seconds\n" : '');
    }

    /** @param array<string, string> $labels */
    private function count(string $name, array $labels, int|float $count): void
    {
        $this->sample("redislock_{$name}_total", $labels, $count);
    }

    /** @param array<string, string> $labels */
    private function sample(string $name, array $labels, int|float $value): void
    {
        $pairs = [];
        foreach ($labels as $label => $text) {
            $pairs[] = "$label=\"" . strtr($text, ['\\' => '\\\\', '"' => '\"', "\n" => '\n']) . '"';
        }
        $this->text .= $name . ($pairs === [] ? '' : '{' . implode(',', $pairs) . '}') . ' ' . self::number($value) . "\n";
    }

    /** Times have whole microseconds. */
    private static function number(int|float $value): string
    {
        return is_int($value) ? (string) $value : rtrim(rtrim(sprintf('%.6F', $value), '0'), '.');
    }

    /** @param array<string, array<string, mixed>> $groups */
    private function histogram(string $name, string $help, array $groups): void
    {
        $this->head("{$name}_seconds", $help, 'histogram');
        foreach ($groups as $group => $counts) {
            $labels = ['group' => (string) $group];
            $sum = 0;
            foreach ($counts[$name]['counts'] as $i => $count) {
                $sum += $count;
                $this->sample("redislock_{$name}_seconds_bucket", $labels + ['le' => isset($this->bounds[$i]) ? self::number($this->bounds[$i]) : '+Inf'], $sum);
            }
            $this->sample("redislock_{$name}_seconds_sum", $labels, $counts[$name]['sum']);
            $this->sample("redislock_{$name}_seconds_count", $labels, $sum);
        }
    }
}
