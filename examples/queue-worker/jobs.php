<?php
declare(strict_types=1);

/*
 * Imports: many workers on many machines, and for each customer no two at once, since each import builds on the last.
 */

const LONGEST_IMPORT = 120.0; // s

/**
 * The loop of a worker, until SIGTERM, which ends it between two jobs, or until $goesOn says no.
 *
 * @param callable $import takes the job's row: what may not overlap
 */
function work(PDO $db, RedisQueue $queue, RedisLock $lock, callable $import, callable $goesOn, float $longest = LONGEST_IMPORT): void
{
    $ends = false;
    pcntl_async_signals(true);
    pcntl_signal(SIGTERM, function () use (&$ends) {
        $ends = true;
    });
    while (!$ends && $goesOn()) {
        $task = $queue->reserve('imports', visibility: $longest, timeout: 1);
        if ($task === false) {
            continue;
        }
        try {
            if (run($db, $lock, $task['id'], $import, $longest)) {
                $queue->ack('imports', $task['id'], $task['receipt']);
                continue;
            }
            $delay = 0.1;                       // another worker is at this customer's: meanwhile somebody else's
        } catch (PDOException | RedisLockException $e) {
            error_log($e->getMessage());
            $delay = 10;                        // dead after max_attempts; dead() shows it, requeue() tries again
        }
        $queue->release('imports', $task['id'], $task['receipt'], $delay);
    }
}

/** Runs one job under its customer's lock. False: another worker has it. A job that is done already is done. */
function run(PDO $db, RedisLock $lock, int $job, callable $import, float $longest): bool
{
    $read = $db->prepare('SELECT * FROM jobs WHERE id = ?');
    $read->execute([$job]);
    [$row] = $read->fetchAll(PDO::FETCH_ASSOC) ?: [null];
    if ($row === null) {
        return true;                            // a task without its job does no harm
    }
    try {
        $lock->synchronized("import:$row[customer]", fn () => $import($row), timeout: 0, expire: $longest);
    } catch (RedisLockTimeoutException) {
        return false;
    } catch (RedisLockLostException $e) {
        error_log($e->getMessage());            // it ran, but longer than $longest; the database has the last word
    }
    return true;
}
