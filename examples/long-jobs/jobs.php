<?php
declare(strict_types=1);

/*
 * Long jobs: each belongs to an account, and for each account no two may run at once. A job takes minutes, and a worker
 * may be killed in it (a deployment, the memory limit of its container). The lease is renewed while the job runs, so it
 * needs to be no longer than the others are to wait for a worker that was killed.
 */

const LEASE = 3.0; // s, whatever a job takes

/**
 * Does one job that is not done yet, of an account at which no other worker is. False: all jobs are done.
 *
 * @param callable $do takes the job's row: what may not overlap
 */
function work(PDO $db, RedisLock $lock, callable $do, float $timeout = 1.0): bool
{
    $next = $db->query('SELECT id, account FROM jobs WHERE done = 0 ORDER BY random() LIMIT 1')->fetchAll(PDO::FETCH_ASSOC);
    if ($next === []) {
        return false;
    }
    [$job] = $next;
    try {
        $lock->synchronized("account:$job[account]", fn () => once($db, $job, $do), $timeout, LEASE, renew: true);
    } catch (RedisLockTimeoutException) {
        // Another worker is at this account. It renews its lease, so this takes as long as its job.
    } catch (RedisLockLostException $e) {
        error_log($e->getMessage());                // this process was paused, or Redis was away, for longer than LEASE
    }
    return true;
}

/** Inside of the lock. The worker before us may have been killed before, in, or behind its job. */
function once(PDO $db, array $job, callable $do): void
{
    $read = $db->prepare('SELECT done FROM jobs WHERE id = ?');
    $read->execute([$job['id']]);
    [$done] = $read->fetchAll(PDO::FETCH_COLUMN);
    if (!$done) {
        $do($job);
        $db->prepare('UPDATE jobs SET done = 1 WHERE id = ?')->execute([$job['id']]);
    }
}
