<?php
declare(strict_types=1);

namespace Bench;

/** Of lists of numbers; an empty one has NAN. */
final class Stats
{
    public static function quantile(array $values, float $q): float
    {
        sort($values);
        return self::sorted($values, $q);
    }

    /** The same for a list that is in order already. */
    public static function sorted(array $values, float $q): float
    {
        if ($values === []) {
            return NAN;
        }
        $at = $q * (count($values) - 1);
        $low = (int) floor($at);
        $high = (int) ceil($at);
        return $values[$low] + ($values[$high] - $values[$low]) * ($at - $low);
    }

    public static function median(array $values): float
    {
        return self::quantile($values, 0.5);
    }

    public static function mean(array $values): float
    {
        return $values === [] ? NAN : array_sum($values) / count($values);
    }

    /** One over the other, run by run; of numbers that were not measured in each run, of their medians. */
    public static function ratios(array $above, array $below): array
    {
        if (count($above) !== count($below)) {
            [$above, $below] = [[self::median($above)], [self::median($below)]];
        }
        return array_map(fn ($one, $other) => $other > 0 ? $one / $other : NAN, $above, $below);
    }

    /** Jain's index: 1 when all got the same, 1/n when one got all. */
    public static function jain(array $values): float
    {
        $squares = array_sum(array_map(fn ($value) => $value * $value, $values));
        return $squares > 0 ? array_sum($values) ** 2 / (count($values) * $squares) : NAN;
    }
}
