<?php
declare(strict_types=1);

/** Sells one piece of $sku to $buyer. 'sold', 'sold out', 'busy': try again, 'closed': Redis is down. */
function buy(PDO $db, RedisLock $lock, string $sku, string $buyer): string
{
    $section = function () use ($db, $sku, $buyer): string {
        $db->beginTransaction();                                        // inside of the lock
        try {
            $read = $db->prepare('SELECT stock FROM products WHERE sku = ?');
            $read->execute([$sku]);
            $outcome = 'sold out';
            if ($read->fetchColumn() > 0) {
                $take = $db->prepare('UPDATE products SET stock = stock - 1 WHERE sku = ? AND stock > 0');
                $take->execute([$sku]);                                 // the last line: holds without the lock too
                if ($take->rowCount() === 1) {
                    $db->prepare('INSERT INTO orders (sku, buyer) VALUES (?, ?)')->execute([$sku, $buyer]);
                    $outcome = 'sold';
                }
            }
            $db->commit();                                              // before the release
            return $outcome;
        } catch (Throwable $e) {
            $db->rollBack();
            throw $e;
        }
    };

    try {
        return $lock->synchronized("stock:$sku", $section, timeout: 3, expire: 10);
    } catch (RedisLockTimeoutException) {
        return 'busy';                                                  // nothing happened: not its turn within 3 s
    } catch (RedisLockLostException $e) {
        error_log($e->getMessage());                                    // it took longer than its lease, but it
        return $e->result;                                              // committed, and the UPDATE kept the stock right
    } catch (RedisLockException $e) {
        error_log($e->getMessage());
        return 'closed';                                                // nothing happened: refuse, do not sell unlocked
    }
}
