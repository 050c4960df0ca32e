<?php
declare(strict_types=1);

namespace Bench;

/** Which processors the server and a client may use. */
final class Place
{
    /** @param string $server, $client lists of processors, as taskset has them */
    public function __construct(
        public readonly string $id,
        public readonly string $title,
        public readonly string $server,
        public readonly string $client,
    ) {
    }

    public function bind(string $processors, int $pid): void
    {
        exec("taskset -cp $processors $pid 2>&1", $told, $status);
        $status === 0 || throw new \RuntimeException('taskset says: ' . implode(' ', $told));
    }
}

/**
 * Where the system puts two processes that talk to each other makes a round trip two or three times as long: it may wake a
 * processor, or not. Who is measured alone is therefore measured in both ways, and not as it happens.
 */
final class Places
{
    /** @return Place[] */
    public static function all(): array
    {
        $usable = self::usable();
        $places = [new Place('one', 'server and client on one processor', $usable[0], $usable[0])];
        if (count($usable) > 1) {
            $places[] = new Place('two', 'a processor each', $usable[0], $usable[1]);
        }
        return [...$places, self::free()];
    }

    public static function free(): Place
    {
        $all = implode(',', self::usable());
        return new Place('free', 'as the system puts them', $all, $all);
    }

    /** @return string[] the numbers of the processors that we may use */
    private static function usable(): array
    {
        preg_match('/^Cpus_allowed_list:\s*(\S+)/m', file_get_contents('/proc/self/status'), $found);
        $numbers = [];
        foreach (explode(',', $found[1]) as $range) {
            [$first, $last] = explode('-', $range) + [1 => null];
            array_push($numbers, ...range((int) $first, (int) ($last ?? $first)));
        }
        return array_map('strval', $numbers);
    }
}
