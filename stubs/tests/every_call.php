<?php

declare(strict_types=1);

/*
 * Every method and every exception, as an application uses them: PHPStan and Psalm must find nothing here, at their
 * highest levels. `expect…` stand for what takes only that type.
 */

function expectInt(int $number): void
{
}

function expectFloat(float $seconds): void
{
}

function expectString(string $text): void
{
}

function every_call(string $sku): void
{
    $lock = new RedisLock();
    $lock = new RedisLock('redis://127.0.0.1:6379');
    $lock = new RedisLock(['redis://127.0.0.1:6379'], ['prefix' => 'shop:', 'timeout' => 3, 'tls' => ['cafile' => '/etc/ca.pem']]);
    $lock = new RedisLock(options: ['fencing' => true, 'auto_release' => 'request']);

    if ($lock->lock($sku) && $lock->lock("$sku:2", 3) && $lock->lock("$sku:3", 3.5, 10) && $lock->lock("$sku:4", token: bin2hex(random_bytes(16)))) {
        try {
            expectFloat($lock->remaining($sku));
            $lock->ensure($sku);
            $lock->ensure($sku, 2);
            expectString($lock->token($sku) ?? 'none');
            expectInt($lock->fence($sku) ?? 0);
            foreach ($lock->held() as $name => $seconds) {
                expectString((string) $name);
                expectFloat($seconds);
            }
            if ($lock->lost($sku) || !$lock->isLocking($sku) || !$lock->expire($sku, 30) || !$lock->expire($sku, INF)) {
                throw new RuntimeException('lost');
            }
        } finally {
            if (!$lock->unlock($sku) || !$lock->unlockAll()) {
                error_log('lost');
            }
        }
    }

    if ($lock->lockAll([$sku, 'SKU0002'], timeout: 3, expire: 10)) {
        $lock->unlockAll();
    }

    $token = $lock->lock($sku) ? $lock->detach($sku) : null;
    if ($token !== null && $lock->attach($sku, $token)) {
        $lock->unlock($sku, $token);
    }

    expectString($lock->owner($sku) ?? 'free');
    RedisLock::describe('GET /orders');
    RedisLock::describe(null);
    $holder = $lock->holder($sku);
    if ($holder !== null) {
        expectString($holder['owner'] ?? 'somebody');
        expectFloat($holder['since'] ?? 0.0);
        expectFloat($holder['lease']);
        expectInt($holder['waiters']);
        error_log($holder['renewed'] ?? false ? 'renewed' : 'not renewed');
    }
    expectInt($lock->waiters($sku));
    if ($lock->forceUnlock($sku)) {
        error_log("$sku was taken away");
    }
    expectFloat((float) RedisLock::stats()['waited']);
    expectString(RedisLock::metrics()['problem'] ?? 'none');
}

/** The value's type is that of what builds it. */
function every_value(RedisLock $lock): void
{
    expectString($lock->remember('page', fn (): string => '<p>', ttl: 60, timeout: 3, stale: 600));
    expectInt($lock->remember('count', fn (): int => 42, 60, allowedClasses: [DateTimeImmutable::class]));
    expectInt($lock->once('count', fn (): ?int => null, fn (): int => 42, timeout: 3));
    if ($lock->forget('page')) {
        error_log('it was there');
    }
}

/** The section's type is that of the call. */
function every_exception(RedisLock $lock): int
{
    try {
        return $lock->synchronized('x', fn (): int => 42, timeout: 3, expire: 10);
    } catch (RedisLockTimeoutException $e) {
        expectString($e->lockName);
    } catch (RedisLockHeldException $e) {
        throw new LogicException($e->getMessage(), previous: $e);
    } catch (RedisLockLostException $e) {
        return is_int($e->result) ? $e->result : 0;
    } catch (RedisLockConnectionException $e) {
        expectString($e->server);
    } catch (RedisLockServerException $e) {
        expectString($e->redisError);
    } catch (RedisLockException $e) {
        error_log($e->getMessage());
    }
    return 0;
}

/** @throws DomainException */
function work(): int
{
    return random_int(0, 1) === 1 ? 42 : throw new DomainException('no work today');
}

/** Of unknown exceptions. */
function other_work(): int
{
    return 42;
}

/** What a callable throws comes out of the call; so does what is said of a bad argument. */
function every_catch(string $servers, string $name, float $seconds): void
{
    try {
        $lock = new RedisLock($servers, ['timeout' => $seconds]);
    } catch (ValueError | TypeError $e) {
        error_log($e->getMessage());
        return;
    }
    try {
        $lock->synchronized($name, fn (): int => work());
    } catch (DomainException $e) {
        error_log($e->getMessage());
    }
    try {
        $lock->synchronized($name, other_work(...));
    } catch (LogicException $e) {
        error_log($e->getMessage());
    }
    try {
        $lock->remember($name, fn (): int => work(), $seconds);
    } catch (DomainException $e) {
        error_log($e->getMessage());
    }
    try {
        $lock->once($name, fn (): int => work(), fn (): int => 42);
    } catch (DomainException $e) {
        error_log($e->getMessage());
    }
    try {
        $lock->once($name, fn (): ?int => null, fn (): int => work());
    } catch (DomainException $e) {
        error_log($e->getMessage());
    }
    try {
        $lock->lock($name, $seconds);
    } catch (RedisLockTimeoutException | ValueError $e) {
        error_log($e->getMessage());
    }
    try {
        $lock->lockAll([$name], $seconds);
    } catch (RedisLockTimeoutException | ValueError | TypeError $e) {
        error_log($e->getMessage());
    }
    try {
        $lock->fence($name);
    } catch (RedisLockException | ValueError $e) {
        error_log($e->getMessage());
    }
    try {
        $lock->unlock($name);
    } catch (RedisLockException | ValueError $e) {
        error_log($e->getMessage());
    }
    try {
        (new RedisQueue($servers))->enqueue($name, [$name], $seconds);
    } catch (RedisQueueException | ValueError | TypeError $e) {
        error_log($e->getMessage());
    }
}

function every_call_of_a_queue(int $order): void
{
    $queue = new RedisQueue();
    $queue = new RedisQueue('redis://127.0.0.1:6379', ['prefix' => 'shop:', 'max_attempts' => 3]);

    try {
        if (!$queue->enqueue('unpaid', $order, afterInterval: 1800) || !$queue->enqueue('unpaid', [$order, 'B17'], 3, replace: false)) {
            error_log('it stood already');
        }
        $seen = $queue->top('unpaid');
        if ($seen !== false && $queue->dequeue('unpaid', $seen['id'], $seen['score'])) {
            expectFloat($seen['score']);
        }
        foreach ([...$queue->pop('unpaid', 10), ...$queue->top('unpaid', 10)] as $task) {
            expectString((string) $task['id']);
        }
        while ($task = $queue->reserve('unpaid', visibility: 60, timeout: INF)) {
            expectInt($task['attempts']);
            if (!$queue->touch('unpaid', $task['id'], $task['receipt'], 60) || !$queue->release('unpaid', $task['id'], $task['receipt'], 5)) {
                $queue->ack('unpaid', $task['id'], $task['receipt']);
            }
        }
        expectInt($queue->stats('unpaid')['due']);
        foreach ($queue->dead('unpaid') as $task) {
            expectFloat($task['died']);
            expectInt($queue->requeue('unpaid', $task['id']) + $queue->requeue('unpaid'));
        }
    } catch (RedisQueueConnectionException $e) {
        expectString($e->server);
    } catch (RedisQueueServerException $e) {
        expectString($e->redisError);
    } catch (RedisQueueException $e) {
        expectString($e->queueName);
    }
}
