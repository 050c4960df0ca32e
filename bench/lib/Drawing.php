<?php
declare(strict_types=1);

namespace Bench;

/** A picture as SVG. */
abstract class Drawing
{
    abstract public function svg(): string;

    protected static function begin(int $width, int $height, int $size): string
    {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 $width $height\" font-family=\"sans-serif\" font-size=\"$size\">\n"
            . "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    }

    protected static function text(float $x, float $y, string $text, string $anchor, string $more = ''): string
    {
        return sprintf('<text x="%.1f" y="%.1f" text-anchor="%s" %s>%s</text>', $x, $y, $anchor, $more, htmlspecialchars($text, ENT_XML1)) . "\n";
    }
}
