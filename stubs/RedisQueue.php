<?php

/*
 * What the PHP extension redislock declares, for editors and static analysis. Not to be loaded: the extension brings
 * these classes itself. Made by bin/update-stubs from redisqueue.stub.php.
 */

/** What every failure of RedisQueue is: a Redis that cannot be reached, or that refuses. */
class RedisQueueException extends RuntimeException
{
    /** The queue's name without its prefix; '' if none is concerned. */
    public readonly string $queueName;
    /** The server concerned, without any secret, e.g. 'redis://127.0.0.1:6379/0'; '' if none is. */
    public readonly string $server;
    /** The code of Redis' error reply, e.g. 'WRONGTYPE'; '' if there was none. */
    public readonly string $redisError;

    /** For tests of an application: the extension makes its own. */
    public function __construct(string $message = "", int $code = 0, ?Throwable $previous = null, string $queueName = "", string $server = "", string $redisError = "") {}
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
 */
class RedisQueue
{
    /**
     * Connects lazily: nothing is sent before the first call.
     *
     * @param string|array|null $servers one server, or a cluster, as for RedisLock; null: the INI setting redislock.servers.
     * @param array $options prefix ("queue:"), max_attempts (5; 0: no limit), persistent, connect_timeout, read_timeout,
     *     username, password, database, sentinel_username, sentinel_password, sentinel_tls, tls, as for RedisLock
     * @throws ValueError a malformed server, several servers, an unknown option, a value out of its range; a prefix with which
     *     no name has one slot in a cluster
     * @throws TypeError an option is of the wrong type
     * @phpstan-param string|array<string>|null $servers
     * @phpstan-param array<string, mixed> $options
     */
    public function __construct(#[\SensitiveParameter] string|array|null $servers = null, #[\SensitiveParameter] array $options = []) {}

    /**
     * Enters one id or a list of them, each due after $afterInterval seconds. One that stands already is replaced, and
     * gets another score than it had. One that is dead starts anew, with no attempts counted. One that a worker has
     * reserved enters when that worker is done with it. An enqueue() whose answer was lost is sent again, and enters
     * nothing twice.
     *
     * @param string $name 1 to 65 535 bytes
     * @param string|int|array $id one id or a list of 1 to 10 000: each a string of 1 to 65 535 bytes or an int
     * @param float $timeout seconds that the call may take, 0 to 10⁹, INF; 0: as long as the other calls
     * @param float $afterInterval seconds, 0 to 10⁹
     * @param bool $replace false: one that stands already keeps its place, and one that is dead stays dead
     * @return bool false: with $replace false, all stood already or are dead; dead() tells which
     * @throws RedisQueueException Redis cannot be reached, or answered with an error
     * @throws ValueError an argument is out of its range
     * @throws TypeError an id is neither int nor string
     * @phpstan-param string|int|array<string|int> $id
     */
    public function enqueue(string $name, string|int|array $id, float $timeout = 10.0, float $afterInterval = 0.0, bool $replace = true): bool {}

    /**
     * Removes an id, if it still has the score that pop() or top() told.
     *
     * @param string $name 1 to 65 535 bytes
     * @param string|int $id 1 to 65 535 bytes, or an int; 42 and '42' are one id
     * @param float $score a finite number
     * @param float $timeout seconds that the call may take, 0 to 10⁹, INF; 0: as long as the other calls
     * @return bool false: it is gone, was enqueued anew, or a worker has reserved it
     * @throws RedisQueueException the outcome is unknown, or the server answered with an error
     * @throws ValueError an argument is out of its range
     */
    public function dequeue(string $name, string|int $id, float $score, float $timeout = 10.0): bool {}

    /**
     * Takes tasks that are due, for good: whatever happens to them then, they are delivered once. Those for which
     * memory_limit leaves no room are put back.
     *
     * @param string $name 1 to 65 535 bytes
     * @param int $count 1 to 10 000, the most to take
     * @param float $timeout seconds to wait while nothing is due, 0 to 10⁹; INF: for ever
     * @return array|false with $count 1 ['id' => string|int, 'score' => when it was due, in Unix seconds], or false; else a
     *     list of these
     * @throws RedisQueueException Redis cannot be reached, or answered with an error; what may have been taken is gone
     * @throws ValueError an argument is out of its range
     * @phpstan-return ($count is 1 ? array{id: int|string, score: float}|false : list<array{id: int|string, score: float}>)
     */
    public function pop(string $name, int $count = 1, float $timeout = 0.0): array|false {}

    /**
     * Tells which tasks are due, and takes none.
     *
     * @param string $name 1 to 65 535 bytes
     * @param int $count 1 to 10 000, the most to tell
     * @return array|false as for pop()
     * @throws RedisQueueException Redis cannot be reached, or answered with an error
     * @throws ValueError an argument is out of its range
     * @phpstan-return ($count is 1 ? array{id: int|string, score: float}|false : list<array{id: int|string, score: float}>)
     */
    public function top(string $name, int $count = 1): array|false {}

    /**
     * Takes tasks that are due, for $visibility seconds: those that are not acknowledged by then are due again. After
     * `max_attempts` they are dead, until requeue(), or an enqueue() that replaces them.
     *
     * @param string $name 1 to 65 535 bytes
     * @param int $count 1 to 10 000, the most to take
     * @param float $visibility seconds, 0.01 to 10⁹
     * @param float $timeout seconds to wait while nothing is due, 0 to 10⁹; INF: for ever
     * @return array|false with $count 1 ['id' => string|int, 'score' => when it was due, in Unix seconds, 'attempts' => 1 or
     *     more, 'receipt' => for ack()], or false; else a list of these
     * @throws RedisQueueException Redis cannot be reached, or answered with an error
     * @throws ValueError an argument is out of its range
     * @phpstan-return ($count is 1 ? array{id: int|string, score: float, attempts: int, receipt: string}|false : list<array{id: int|string, score: float, attempts: int, receipt: string}>)
     */
    public function reserve(string $name, int $count = 1, float $visibility = 30.0, float $timeout = 0.0): array|false {}

    /**
     * The task is done.
     *
     * @param string $name 1 to 65 535 bytes
     * @param string|int $id 1 to 65 535 bytes, or an int; 42 and '42' are one id
     * @param string $receipt what reserve() returned with the task
     * @return bool false: its time was over, and it is another worker's, or due again
     * @throws RedisQueueException the outcome is unknown, or the server answered with an error
     * @throws ValueError an argument is out of its range
     */
    public function ack(string $name, string|int $id, string $receipt): bool {}

    /**
     * The task is not done: it is due again after $delay seconds, or dead after `max_attempts`.
     *
     * @param string $name 1 to 65 535 bytes
     * @param string|int $id 1 to 65 535 bytes, or an int; 42 and '42' are one id
     * @param string $receipt what reserve() returned with the task
     * @param float $delay seconds, 0 to 10⁹
     * @return bool false: as for ack()
     * @throws RedisQueueException the outcome is unknown, or the server answered with an error
     * @throws ValueError an argument is out of its range
     */
    public function release(string $name, string|int $id, string $receipt, float $delay = 0.0): bool {}

    /**
     * The task takes longer: it stays reserved for $visibility seconds from now.
     *
     * @param string $name 1 to 65 535 bytes
     * @param string|int $id 1 to 65 535 bytes, or an int; 42 and '42' are one id
     * @param string $receipt what reserve() returned with the task
     * @param float $visibility seconds, 0.01 to 10⁹
     * @return bool false: as for ack()
     * @throws RedisQueueException the outcome is unknown, or the server answered with an error
     * @throws ValueError an argument is out of its range
     */
    public function touch(string $name, string|int $id, string $receipt, float $visibility): bool {}

    /**
     * How many tasks there are.
     *
     * @param string $name 1 to 65 535 bytes
     * @return array due, delayed, reserved, dead: how many of each
     * @throws RedisQueueException Redis cannot be reached, or answered with an error
     * @throws ValueError an argument is out of its range
     * @phpstan-return array{due: int, delayed: int, reserved: int, dead: int}
     */
    public function stats(string $name): array {}

    /**
     * The dead tasks: those that were given up after `max_attempts`, the oldest first.
     *
     * @param string $name 1 to 65 535 bytes
     * @param int $count 1 to 10 000, the most to tell
     * @return array a list of ['id' => string|int, 'attempts' => int, 'died' => when that was, in Unix seconds]
     * @throws RedisQueueException Redis cannot be reached, or answered with an error
     * @throws ValueError an argument is out of its range
     * @phpstan-return list<array{id: int|string, attempts: int, died: float}>
     */
    public function dead(string $name, int $count = 10): array {}

    /**
     * Makes dead tasks due again, as new ones.
     *
     * @param string $name 1 to 65 535 bytes
     * @param string|int|array|null $id one id or a list of 1 to 10 000, as for enqueue(); null: all that are
     *     dead now
     * @return int how many were dead and are due now
     * @throws RedisQueueException Redis cannot be reached, or answered with an error
     * @throws ValueError an argument is out of its range
     * @throws TypeError an id is neither int nor string
     * @phpstan-param string|int|array<string|int>|null $id
     */
    public function requeue(string $name, string|int|array|null $id = null): int {}
}
