<?php

namespace Redislock\Laravel\Tests;

use Illuminate\Foundation\Testing\DatabaseTransactionsManager;
use Illuminate\Support\Facades\DB;
use LogicException;
use PHPUnit\Framework\Attributes\Group;
use RedisLock as Extension;
use Redislock\Laravel\Facades\RedisLock;
use Redislock\Laravel\Tests\Support\TestCase;

/** The lock belongs around the transaction. */
#[Group('extension')]
class TransactionTest extends TestCase
{
    public function test_a_transaction_inside_of_the_section_is_the_right_order(): void
    {
        self::assertSame(1, RedisLock::synchronized('SKU0001', fn () => DB::transaction(fn () => DB::transactionLevel())));
    }

    public function test_a_section_inside_of_a_transaction_throws(): void
    {
        $run = false;
        foreach ([RedisLock::getFacadeRoot(), $this->app->make(Extension::class), RedisLock::fake()] as $lock) {
            try {
                DB::transaction(fn () => $lock->synchronized('SKU0001', function () use (&$run) {
                    $run = true;
                }));
                self::fail('it ran');
            } catch (LogicException $e) {
                self::assertStringContainsString("synchronized('SKU0001') inside of an open database transaction", $e->getMessage());
            }
        }
        self::assertFalse($run);
        self::assertSame([], all_keys($this->redis));
    }

    public function test_it_may_be_allowed(): void
    {
        config(['redislock.in_transaction' => 'allow']);

        self::assertSame('run', DB::transaction(fn () => RedisLock::synchronized('SKU0001', fn () => 'run')));
    }

    public function test_no_other_choice_is_known(): void
    {
        config(['redislock.in_transaction' => false]);

        $this->expectExceptionMessage("redislock.in_transaction must be 'throw' or 'allow'");
        RedisLock::synchronized('SKU0001', fn () => 'run');
    }

    public function test_the_transaction_around_a_test_does_not_count(): void
    {
        $this->app->instance('db.transactions', new DatabaseTransactionsManager([null])); // as RefreshDatabase does
        DB::beginTransaction();
        self::assertSame('run', RedisLock::synchronized('SKU0001', fn () => 'run'));

        DB::beginTransaction();
        $this->expectException(LogicException::class);
        RedisLock::synchronized('SKU0001', fn () => 'run');
    }
}
