<?php
declare(strict_types=1);

/** Draws: a progress bar and colours on a terminal, plain lines elsewhere. */
final class Screen
{
    private readonly bool $terminal;
    private readonly bool $colours;
    private readonly bool $blocks;
    private readonly int $width;
    private float $drawn = 0.0;
    private int $quarter = 0;

    public function __construct()
    {
        $this->terminal = stream_isatty(STDOUT);
        $this->colours = $this->terminal && (string) getenv('NO_COLOR') === '';
        $locale = getenv('LC_ALL') ?: getenv('LC_CTYPE') ?: getenv('LANG') ?: '';
        $this->blocks = (bool) preg_match('/utf-?8/i', $locale);
        $this->width = max(60, min(100, (int) getenv('COLUMNS') ?: 80));
    }

    public function line(string $text = ''): void
    {
        echo $text, "\n";
    }

    public function title(string $text): void
    {
        $this->line("\n" . $this->in('1', $text));
    }

    public function good(string $text): string
    {
        return $this->in('1;32', $text);
    }

    public function bad(string $text): string
    {
        return $this->in('1;31', $text);
    }

    /** @param array<string, int> $answers */
    public function progress(array $answers, int $of): void
    {
        $done = array_sum($answers);
        $told = sprintf('sold %d, refused %d', $answers['sold'], $answers['refused']);
        if (!$this->terminal) {
            if (intdiv(4 * $done, $of) > $this->quarter) {
                $this->quarter = intdiv(4 * $done, $of);
                $this->line(sprintf('  %4d of %d buyers: %s', $done, $of, $told));
            }
            return;
        }
        // 25 pictures a second are enough, and leave the processors to the buyers.
        if ($done < $of && microtime(true) - $this->drawn < 0.04) {
            return;
        }
        $this->drawn = microtime(true);
        $room = $this->width - 46;
        $full = (int) floor($room * $done / $of);
        $bar = str_repeat($this->blocks ? '█' : '#', $full) . str_repeat($this->blocks ? '░' : '.', $room - $full);
        printf("\r  %s %4d of %d  %-24s", $this->in('36', $bar), $done, $of, $told);
    }

    public function progressEnds(): void
    {
        $this->quarter = 0;
        if ($this->terminal) {
            echo "\r\033[K";
        }
    }

    /** @param float[] $waits in s, sorted */
    public function histogram(array $waits): void
    {
        $rows = self::buckets($waits);
        $most = max(array_column($rows, 2));
        $room = $this->width - 32;
        foreach ($rows as [$from, $to, $count]) {
            $label = $from === 0.0 ? 'less than ' . self::ms($to) : self::ms($from) . ' to ' . self::ms($to);
            $this->line(sprintf('  %20s %5d ', $label, $count) . $this->in('36', $this->bar($room * $count / $most)));
        }
    }

    /** A span as people read it. */
    public static function ms(float $seconds): string
    {
        return $seconds < 1 ? round($seconds * 1e3, $seconds < 0.01 ? 1 : 0) . ' ms' : round($seconds, 1) . ' s';
    }

    /**
     * Counts the waits in steps of 1, 2, 5, 10, 20, 50 … ms: short and long waits show in one picture.
     *
     * @param float[] $waits
     * @return array<array{float, float, int}> from, to, how many
     */
    private static function buckets(array $waits): array
    {
        $rows = [];
        $from = 0.0;
        for ($i = 0; $i === 0 || $from <= end($waits); $i++) {
            $to = [0.001, 0.002, 0.005][$i % 3] * 10 ** intdiv($i, 3);
            $rows[] = [$from, $to, count(array_filter($waits, fn ($wait) => $wait >= $from && $wait < $to))];
            $from = $to;
        }
        return $rows;
    }

    private function bar(float $length): string
    {
        if (!$this->blocks) {
            return str_repeat('#', (int) ceil($length));
        }
        $eighths = (int) ceil($length * 8);
        return str_repeat('█', intdiv($eighths, 8)) . ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][$eighths % 8];
    }

    private function in(string $colour, string $text): string
    {
        return $this->colours ? "\033[{$colour}m$text\033[0m" : $text;
    }
}
