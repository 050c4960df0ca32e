<?php

/**
 * @generate-class-entries static
 * @generate-legacy-arginfo 80200
 */

/** What every failure of RedisQueue is: a Redis that cannot be reached, or that refuses. */
class RedisQueueException extends RuntimeException
{
    /** The queue's name without its prefix; '' where none is concerned. */
    public readonly string $queueName;
    /** The server concerned, without any secret, e.g. 'redis://127.0.0.1:6379/0'; '' where none is. */
    public readonly string $server;
    /** The code of Redis' error reply, e.g. 'WRONGTYPE'; '' where there was none. */
    public readonly string $redisError;
}

/** The server cannot be reached, did not answer in time, refused the login, or sent what is no Redis reply. */
class RedisQueueConnectionException extends RedisQueueException
{
}

/** The server answered with an error: READONLY, OOM, NOPERM, WRONGTYPE, LOADING … */
class RedisQueueServerException extends RedisQueueException
{
}

/**
 * A queue of tasks on Redis or Valkey: ids that become due, now or later, and are taken by workers that may die.
 *
 * An id stands in a queue once. It is an int or a string of any bytes; 42 and "42" are one id, and come back as 42.
 * pop() delivers at most once; reserve() and ack() at least once: a task whose worker died comes back.
 *
 * All times are seconds, as float, rounded up to whole milliseconds. A Redis that cannot be reached or that answers with
 * an error is a RedisQueueException, never `false`; a bad argument is a ValueError or TypeError before anything is sent.
 *
 * @strict-properties
 * @not-serializable
 */
class RedisQueue
{
    /**
     * Connects lazily: nothing is sent before the first call.
     *
     * @param string|array|null $servers one server, as for RedisLock; null: the INI setting redislock.servers.
     * @param array $options prefix ("queue:"), max_attempts (5; 0: no limit), persistent, connect_timeout, read_timeout,
     *     username, password, database, tls.
     * @throws ValueError a malformed server, several servers, an unknown option, a value out of its range
     */
    public function __construct(#[\SensitiveParameter] string|array|null $servers = null, #[\SensitiveParameter] array $options = []) {}

    /**
     * Enters one id or a list of them, each due after $afterInterval seconds. One that stands already is replaced, and
     * gets another score than it had. One that a worker has reserved enters when that worker is done with it.
     *
     * @param string|int|array $id at most 10 000, each a string of 1 to 65 535 bytes or an int
     * @param float $timeout seconds that the call may take
     * @param bool $replace false: one that stands already keeps its place
     * @return bool false: all stood already and kept their place
     * @throws RedisQueueException
     */
    public function enqueue(string $name, string|int|array $id, float $timeout = 10.0, float $afterInterval = 0.0, bool $replace = true): bool {}

    /**
     * Removes an id, if it still has the score that pop() or top() told.
     *
     * @param float $timeout seconds that the call may take
     * @return bool false: it is gone, or was enqueued anew
     * @throws RedisQueueException
     */
    public function dequeue(string $name, string|int $id, float $score, float $timeout = 10.0): bool {}

    /**
     * Takes tasks that are due, for good: whatever happens to them then, they are delivered once.
     *
     * @param int $count 1 to 10 000, the most to take
     * @param float $timeout seconds to wait while nothing is due; INF: for ever
     * @return array|false with $count 1 ['id' =>, 'score' =>], or false; else a list of these
     * @throws RedisQueueException
     */
    public function pop(string $name, int $count = 1, float $timeout = 0.0): array|false {}

    /**
     * Tells which tasks are due, and takes none.
     *
     * @return array|false as of pop()
     * @throws RedisQueueException
     */
    public function top(string $name, int $count = 1): array|false {}

    /**
     * Takes tasks that are due, for $visibility seconds: those that are not acknowledged by then are due again. After
     * `max_attempts` they are dead.
     *
     * @param float $visibility seconds, at least 0.01
     * @param float $timeout seconds to wait while nothing is due; INF: for ever
     * @return array|false with $count 1 ['id' =>, 'score' =>, 'attempts' =>, 'receipt' =>], or false; else a list of these
     * @throws RedisQueueException
     */
    public function reserve(string $name, int $count = 1, float $visibility = 30.0, float $timeout = 0.0): array|false {}

    /**
     * The task is done.
     *
     * @return bool false: its time was over, and it is another worker's, or due again
     * @throws RedisQueueException
     */
    public function ack(string $name, string|int $id, string $receipt): bool {}

    /**
     * The task is not done: it is due again after $delay seconds, or dead after `max_attempts`.
     *
     * @return bool false: as of ack()
     * @throws RedisQueueException
     */
    public function release(string $name, string|int $id, string $receipt, float $delay = 0.0): bool {}

    /**
     * The task takes longer: it stays reserved for $visibility seconds from now.
     *
     * @return bool false: as of ack()
     * @throws RedisQueueException
     */
    public function touch(string $name, string|int $id, string $receipt, float $visibility): bool {}

    /**
     * How many tasks there are.
     *
     * @return array due, delayed, reserved, dead
     * @throws RedisQueueException
     */
    public function stats(string $name): array {}

    /**
     * The tasks that were given up, the oldest first.
     *
     * @return array a list of ['id' =>, 'attempts' =>, 'died' => when that was, in Unix seconds]
     * @throws RedisQueueException
     */
    public function dead(string $name, int $count = 10): array {}

    /**
     * Makes dead tasks due again, as new ones.
     *
     * @param string|int|array|null $id one id or a list of them; null: all
     * @return int how many were dead and are due now
     * @throws RedisQueueException
     */
    public function requeue(string $name, string|int|array|null $id = null): int {}
}
