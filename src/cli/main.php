<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Ends the program with a message that a terminal may be shown. */
function fail(string $message, int $status): never
{
    fwrite(STDERR, 'redislock: ' . Screen::text($message) . "\n");
    exit($status);
}

ignore_user_abort(true); // whoever reads us may have seen enough, as `| head` does
try {
    exit((new Program(new Arguments(array_slice($argv, 1))))->run());
} catch (Failure $e) {
    fail($e->getMessage(), $e->getCode());
} catch (\ValueError $e) { // of a method of RedisLock: a name that is none
    fail(preg_replace('/^.*?: Argument #\d \(\$(\w+)\)/', '$1', $e->getMessage()), USAGE);
} catch (\RedisLockException $e) {
    fail($e->getMessage(), TROUBLE);
}
