<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Who holds a lock, or waits for one, as far as a token or the id of a waiter says. Others may have written anything there. */
final class Owner
{
    private const LONGEST = 50; // bytes of who that is
    /** Behind the digits, if there is a description: whether the lease is renewed, since when (ms since 1970), who. */
    private const DESCRIPTION = '(?::([r-])([0-9a-f]{1,12}):(.{1,' . self::LONGEST . '}))?';

    private function __construct(
        public readonly string $token,
        public readonly string $kind, // 'lock', 'build' of a value, 'foreign'; of waiters 'lock' or 'value': what they wait for
        public readonly ?string $description,
        public readonly ?float $since, // seconds since 1970, by the owner's clock
        public readonly ?bool $renewed,
    ) {
    }

    public static function ofToken(string $token): self
    {
        $isOurs = preg_match('/\Arl:(build:)?[0-9a-f]{32}' . self::DESCRIPTION . '\z/s', $token, $found, PREG_UNMATCHED_AS_NULL);
        return $isOurs ? self::described($token, $found[1] === null ? 'lock' : 'build', $found) : new self($token, 'foreign', null, null, null);
    }

    public static function ofWaiter(string $id): self
    {
        $isOurs = preg_match('/\A([0-9a-fv])[0-9a-f]{23}' . self::DESCRIPTION . '\z/s', $id, $found, PREG_UNMATCHED_AS_NULL);
        return $isOurs ? self::described($id, $found[1] === 'v' ? 'value' : 'lock', $found) : new self($id, 'foreign', null, null, null);
    }

    /** @param array<int, ?string> $found */
    private static function described(string $token, string $kind, array $found): self
    {
        [, , $flag, $since, $description] = $found;
        return new self($token, $kind, $description, $since === null ? null : hexdec($since) / 1000, $flag === null ? null : $flag === 'r');
    }

    /** Seconds since then. One that is still to come is told by another clock. */
    public function age(float $now): ?float
    {
        return $this->since === null ? null : max(0.0, round($now - $this->since, 3));
    }

    /** @return array{?string, ?string, ?string} host, pid and what runs, if the description has the form that it has by default */
    private function parts(): array
    {
        preg_match('/\A(\S+):(\d{1,10})(?: (.+))?\z/s', (string) $this->description, $found);
        return array_slice($found, 1) + [null, null, null];
    }

    /** A pattern for the "host:pid" of its process, as its connections are named; null: it does not tell that. */
    public function process(): ?string
    {
        [$host, $pid] = $this->parts();
        $cut = strlen("$host:$pid") === self::LONGEST ? '\S*' : ''; // a long host, for which a connection has more room
        return $host === null ? null : '/\A' . preg_quote($host, '/') . "$cut:$pid\z/";
    }

    /** @return array<string, mixed> */
    public function forJson(float $now): array
    {
        [$host, $pid, $runs] = $this->parts();
        return [
            'kind' => $this->kind,
            'description' => $this->description,
            'host' => $host,
            'pid' => $pid === null ? null : (int) $pid,
            'runs' => $runs,
            'since' => $this->since,
            'age' => $this->age($now),
        ];
    }
}
