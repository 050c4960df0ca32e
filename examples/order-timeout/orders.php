<?php
declare(strict_types=1);

const PAY_WITHIN = 30 * 60.0; // s

/** Takes an order and a piece of the stock. Unpaid, it is cancelled after $payWithin seconds. Null: sold out. */
function place(PDO $db, RedisQueue $queue, string $sku, float $payWithin = PAY_WITHIN): ?int
{
    $db->beginTransaction();
    try {
        $take = $db->prepare('UPDATE products SET stock = stock - 1 WHERE sku = ? AND stock > 0');
        $take->execute([$sku]);
        if ($take->rowCount() === 0) {
            $db->rollBack();
            return null;
        }
        $db->prepare("INSERT INTO orders (sku, state) VALUES (?, 'unpaid')")->execute([$sku]);
        $order = (int) $db->lastInsertId();
        // Before the commit: without its task there is no order. A task without its order does no harm.
        $queue->enqueue('unpaid', $order, afterInterval: $payWithin);
        $db->commit();
        return $order;
    } catch (Throwable $e) {
        $db->rollBack();
        throw $e;
    }
}

/** False: it was cancelled already. The task stays in the queue, and finds nothing to do. */
function pay(PDO $db, int $order): bool
{
    $pay = $db->prepare("UPDATE orders SET state = 'paid' WHERE id = ? AND state = 'unpaid'");
    $pay->execute([$order]);
    return $pay->rowCount() === 1;
}

/** Cancels the order and puts its piece back, unless it was paid. Done twice, it does nothing more. */
function cancel_unpaid(PDO $db, int $order): bool
{
    $db->beginTransaction();
    try {
        $cancel = $db->prepare("UPDATE orders SET state = 'cancelled' WHERE id = ? AND state = 'unpaid'");
        $cancel->execute([$order]);
        $cancelled = $cancel->rowCount() === 1;
        if ($cancelled) {
            $db->prepare('UPDATE products SET stock = stock + 1 WHERE sku = (SELECT sku FROM orders WHERE id = ?)')->execute([$order]);
        }
        $db->commit();
        return $cancelled;
    } catch (Throwable $e) {
        $db->rollBack();
        throw $e;
    }
}

/** What a worker does, while $goesOn says so: run as many as you like, on as many machines. */
function work(PDO $db, RedisQueue $queue, callable $goesOn): void
{
    while ($goesOn()) {
        $task = $queue->reserve('unpaid', visibility: 30, timeout: 1); // woken when an order's time is over
        if ($task === false) {
            continue;
        }
        try {
            cancel_unpaid($db, $task['id']);
            $queue->ack('unpaid', $task['id'], $task['receipt']);
        } catch (PDOException $e) {
            error_log($e->getMessage());
            $queue->release('unpaid', $task['id'], $task['receipt'], delay: 10); // later again; dead after max_attempts
        }
    }
}
