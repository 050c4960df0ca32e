<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** What the processes of a user on this machine have counted. */
final class Numbers
{
    /** @param ?string $user by number or name; null: the one of this process */
    public static function of(?string $user): array
    {
        $uid = $user === null ? null : self::uid($user);
        $metrics = \RedisLock::metrics($uid);
        return $metrics['machine'] !== null ? $metrics : throw self::nothing($metrics);
    }

    private static function uid(string $user): int
    {
        if (preg_match('/^\d{1,10}$/D', $user)) {
            return (int) $user;
        }
        $found = function_exists('posix_getpwnam') ? posix_getpwnam($user) : false;
        return $found['uid'] ?? throw new Failure("--uid: there is no user $user here", USAGE);
    }

    /** How a user is called. */
    private static function name(int $uid): string
    {
        return (function_exists('posix_getpwuid') ? posix_getpwuid($uid)['name'] ?? null : null) ?? "#$uid";
    }

    /**
     * Why there is nothing to print, and what to do.
     *
     * @param array<string, mixed> $metrics
     */
    private static function nothing(array $metrics): Failure
    {
        $name = self::name($metrics['user']);
        if ($metrics['problem'] !== null) {
            $hint = str_ends_with($metrics['problem'], 'Permission denied') ? '; ' . self::instead([$metrics['user']]) : '';
            return new Failure("$metrics[problem]$hint", TROUBLE);
        }
        $others = [];
        foreach (glob(ini_get('redislock.shared_memory') . '/redislock.metrics.v*.*') ?: [] as $file) {
            $others[] = (int) substr(strrchr($file, '.'), 1);
        }
        $others = array_unique(array_diff($others, [$metrics['user']]));
        $hint = $others === [] ? '' : '. Others have: ' . self::instead($others);
        return new Failure("no process of the user $name has counted anything on this machine$hint", NO);
    }

    /**
     * How the numbers of these users are printed.
     *
     * @param list<int> $uids
     */
    private static function instead(array $uids): string
    {
        $isRoot = (function_exists('posix_geteuid') ? posix_geteuid() : getmyuid()) === 0;
        $ways = array_map(fn ($uid) => $isRoot ? "with --uid=$uid (" . self::name($uid) . ')' : 'as ' . self::name($uid) . ' (sudo -u ' . self::name($uid) . ' redislock metrics)', $uids);
        return 'run this ' . implode(', or ', $ways) . ($isRoot ? '' : ', or ask a worker that runs so: examples/metrics.php');
    }
}
