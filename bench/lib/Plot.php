<?php
declare(strict_types=1);

namespace Bench;

/** Lines in a frame, with a logarithmic scale on both axes or on x only, as SVG. */
final class Plot extends Drawing
{
    private const WIDTH = 760;
    private const HEIGHT = 430;
    private const LEFT = 70;
    private const RIGHT = 200; // for the names
    private const TOP = 40;
    private const BOTTOM = 55;

    /** @var array<array{string, string, array<array{float, float}>}> name, colour, points */
    private array $lines = [];

    public function __construct(
        private readonly string $title,
        private readonly string $x,
        private readonly string $y,
        private readonly bool $logarithmic,
        private readonly bool $marks,
    ) {
    }

    /** @param array<array{float, float}> $points those that a logarithm cannot show are left out */
    public function line(string $name, string $colour, array $points): void
    {
        $points = array_values(array_filter($points, fn ($point) => $point[0] > 0 && (!$this->logarithmic || $point[1] > 0)));
        if ($points !== []) {
            $this->lines[] = [trim($name, '*'), $colour, $points];
        }
    }

    public function svg(): string
    {
        [$x, $y] = [$this->scale(0, true), $this->scale(1, $this->logarithmic)];
        $right = self::WIDTH - self::RIGHT;
        $bottom = self::HEIGHT - self::BOTTOM;
        $at = fn (array $point): array => [
            self::LEFT + ($right - self::LEFT) * self::share($x, $point[0], true),
            $bottom - ($bottom - self::TOP) * self::share($y, $point[1], $this->logarithmic),
        ];
        $svg = self::begin(self::WIDTH, self::HEIGHT, 12) . self::text(self::LEFT, 22, $this->title, 'start', 'font-size="15"');
        $svg .= self::text(($right + self::LEFT) / 2, self::HEIGHT - 12, $this->x, 'middle');
        $svg .= self::text(16, self::HEIGHT / 2, $this->y, 'middle', sprintf('transform="rotate(-90 16 %d)"', self::HEIGHT / 2));
        foreach ($this->marks ? $this->xs() : self::ticks($x, true) as $tick) {
            $to = $at([$tick, $y[0]])[0];
            $svg .= sprintf('<path d="M%.1f %dV%d" stroke="#ddd"/>', $to, self::TOP, $bottom) . self::text($to, $bottom + 18, self::number($tick), 'middle');
        }
        foreach (self::ticks($y, $this->logarithmic) as $tick) {
            $to = $at([$x[0], $tick])[1];
            $svg .= sprintf('<path d="M%d %.1fH%d" stroke="#ddd"/>', self::LEFT, $to, $right) . self::text(self::LEFT - 6, $to + 4, self::number($tick), 'end');
        }
        $svg .= sprintf('<path d="M%d %dV%dH%d" fill="none" stroke="#333"/>', self::LEFT, self::TOP, $bottom, $right) . "\n";
        foreach ($this->lines as $i => [$name, $colour, $points]) {
            $path = implode('L', array_map(fn ($point) => vsprintf('%.1f %.1f', $at($point)), $points));
            $svg .= sprintf('<path d="M%s" fill="none" stroke="%s" stroke-width="%s"/>', $path, $colour, $name === 'redislock' ? 3 : 1.6);
            foreach ($this->marks ? $points : [] as $point) {
                $svg .= vsprintf('<circle cx="%.1f" cy="%.1f" r="3"', $at($point)) . " fill=\"$colour\"/>";
            }
            $row = self::TOP + 12 + 20 * $i;
            $svg .= sprintf('<path d="M%d %dh18" stroke="%s" stroke-width="3"/>', $right + 14, $row - 4, $colour) . self::text($right + 38, $row, $name, 'start') . "\n";
        }
        return "$svg</svg>\n";
    }

    /** @return float[] where the lines have points */
    private function xs(): array
    {
        return array_unique(array_merge(...array_map(fn ($line) => array_column($line[2], 0), $this->lines ?: [['', '', []]])));
    }

    /** @return array{float, float} */
    private function scale(int $axis, bool $logarithmic): array
    {
        $values = [];
        foreach ($this->lines as $line) {
            array_push($values, ...array_column($line[2], $axis));
        }
        if ($values === []) {
            return [1, 10];
        }
        [$low, $high] = [min($values), max($values)];
        if (!$logarithmic) {
            return [0, $high ?: 1];
        }
        return $low === $high ? [$low / 2, $high * 2] : [$low, $high];
    }

    private static function share(array $scale, float $value, bool $logarithmic): float
    {
        return $logarithmic ? log($value / $scale[0]) / log($scale[1] / $scale[0]) : ($value - $scale[0]) / ($scale[1] - $scale[0]);
    }

    /** @return float[] */
    private static function ticks(array $scale, bool $logarithmic): array
    {
        if (!$logarithmic) {
            return array_map(fn ($i) => $scale[1] * $i / 5, range(0, 5));
        }
        $ticks = [];
        for ($power = floor(log10($scale[0])); $power <= log10($scale[1]); $power++) {
            foreach ($scale[1] / $scale[0] > 1000 ? [1] : [1, 2, 4] as $factor) {
                $tick = $factor * 10 ** $power;
                if ($tick >= $scale[0] * 0.999 && $tick <= $scale[1] * 1.001) {
                    $ticks[] = $tick;
                }
            }
        }
        return $ticks;
    }

    private static function number(float $number): string
    {
        return $number >= 1000 ? round($number / 1000, 1) . ' k' : (string) round($number, $number < 1 ? 3 : 1);
    }
}
