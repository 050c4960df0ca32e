<?php

namespace Redislock\Laravel;

use Illuminate\Contracts\Container\Container;
use Illuminate\Foundation\Testing\DatabaseTransactionsManager as TestTransactions;
use InvalidArgumentException;
use LogicException;

/** Finds the lock that is taken inside of a transaction, and so released before the commit. */
final class TransactionGuard
{
    public function __construct(private readonly Container $app)
    {
    }

    /** @throws LogicException */
    public function __invoke(string $name): void
    {
        $choice = $this->app->make('config')->get('redislock.in_transaction', 'throw');
        if (! in_array($choice, ['throw', 'allow'], true)) {
            throw new InvalidArgumentException("redislock.in_transaction must be 'throw' or 'allow'");
        }
        if ($choice === 'throw' && $this->openTransactions() > 0) {
            throw new LogicException(
                "RedisLock::synchronized('$name') inside of an open database transaction: the lock would be released ".
                'before the commit, and the next holder would read what was there before this one. Begin the '.
                'transaction inside of the section: RedisLock::synchronized(…, fn () => DB::transaction(…)). '.
                "To allow it: 'in_transaction' => 'allow' in config/redislock.php."
            );
        }
    }

    /** How many are open on the default connection, without opening it, and without the one that wraps a whole test. */
    private function openTransactions(): int
    {
        if (! $this->app->resolved('db')) {
            return 0;
        }
        $database = $this->app->make('db');
        $connection = $database->getConnections()[$database->getDefaultConnection()] ?? null;
        $wrapping = $this->app->bound('db.transactions') && $this->app->make('db.transactions') instanceof TestTransactions ? 1 : 0;

        return $connection === null ? 0 : $connection->transactionLevel() - $wrapping;
    }
}
