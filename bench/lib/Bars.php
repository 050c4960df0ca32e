<?php
declare(strict_types=1);

namespace Bench;

/** Two horizontal bars for each peer on one linear scale, as SVG: what is usual behind what is worst. */
final class Bars extends Drawing
{
    private const WIDTH = 760;
    private const LEFT = 190; // for the names
    private const RIGHT = 90; // for the numbers
    private const TOP = 74;
    private const ROW = 34;

    /** @var array<array{string, string, float, float}> name, colour, the shorter bar, the longer one */
    private array $rows = [];

    public function __construct(
        private readonly string $title,
        private readonly string $subtitle,
        private readonly string $shorter,
        private readonly string $longer,
        private readonly string $unit,
    ) {
    }

    public function row(string $name, string $colour, float $shorter, float $longer): void
    {
        $this->rows[] = [trim($name, '*'), $colour, $shorter, $longer];
    }

    public function svg(): string
    {
        $most = max([1.0, ...array_column($this->rows, 3)]);
        $height = self::TOP + self::ROW * count($this->rows) + 14;
        $long = fn (float $number) => max(1.0, (self::WIDTH - self::LEFT - self::RIGHT) * $number / $most);
        $svg = self::begin(self::WIDTH, $height, 13) . self::text(20, 26, $this->title, 'start', 'font-size="17" font-weight="bold"') . self::text(20, 46, $this->subtitle, 'start', 'fill="#555"');
        $svg .= sprintf('<rect x="%d" y="57" width="12" height="8" fill="#777"/>', self::LEFT) . self::text(self::LEFT + 18, 65, $this->shorter, 'start', 'font-size="11" fill="#555"');
        $svg .= sprintf('<rect x="%d" y="57" width="12" height="8" fill="#777" opacity="0.4"/>', self::LEFT + 90) . self::text(self::LEFT + 108, 65, $this->longer, 'start', 'font-size="11" fill="#555"');
        foreach ($this->rows as $i => [$name, $colour, $shorter, $longer]) {
            $top = self::TOP + self::ROW * $i;
            $weight = $name === 'redislock' ? 'font-weight="bold"' : '';
            $svg .= self::text(self::LEFT - 10, $top + 19, $name, 'end', $weight);
            $svg .= sprintf('<rect x="%d" y="%d" width="%.1f" height="20" fill="%s" opacity="0.4"/>', self::LEFT, $top + 4, $long($longer), $colour);
            $svg .= sprintf('<rect x="%d" y="%d" width="%.1f" height="20" fill="%s"/>', self::LEFT, $top + 4, $long($shorter), $colour);
            $svg .= self::text(self::LEFT + $long($longer) + 6, $top + 19, number_format($longer, 0, '.', ' ') . " $this->unit", 'start', $weight);
        }
        return "$svg</svg>\n";
    }
}
