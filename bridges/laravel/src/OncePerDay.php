<?php

namespace Redislock\Laravel;

/** Warnings that are as true of the next request as of this one. */
final class OncePerDay
{
    private const DAY = 86400;

    /** @var array<string, true> */
    private static array $told = [];

    /**
     * Logs it, once a day and host. A file keeps the time: for PHP each request of php-fpm is a process of its own. Where
     * no file can be written, each process of the command line logs it once.
     */
    public static function warn(string $message): void
    {
        $file = storage_path('framework/cache/redislock-'.md5($message));
        if (isset(self::$told[$file]) || is_file($file) && filemtime($file) > time() - self::DAY) {
            return;
        }
        self::$told[$file] = true;
        if (@touch($file) || app()->runningInConsole()) {
            rescue(fn () => logger()->warning($message), report: false); // a log that fails keeps nobody from locking
        }
    }
}
