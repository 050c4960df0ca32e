<?php

namespace App\Http\Controllers;

use Illuminate\Contracts\Cache\LockTimeoutException;
use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use Illuminate\Support\Facades\Cache;
use Illuminate\Support\Facades\DB;

class BuyController
{
    /** The transaction inside of the lock: it begins when the lock is had, and commits before the lock is released. */
    public function buy(Request $request, string $sku): JsonResponse
    {
        return $this->answer(fn () => Cache::lock("stock:$sku", 10)->block(
            5,
            fn () => DB::transaction(fn () => $this->sell($sku, $request->input('buyer'))),
        ));
    }

    /** Wrong: the lock inside of the transaction. What was read first decides which stock is seen, for ever. */
    public function buyInTheWrongOrder(Request $request, string $sku): JsonResponse
    {
        return $this->answer(fn () => DB::transaction(function () use ($request, $sku) {
            DB::table('orders')->where('buyer', $request->input('buyer'))->exists(); // or the user, or the cart

            return Cache::lock("stock:$sku", 10)->block(
                5,
                fn () => $this->sell($sku, $request->input('buyer')),
            );
        }));
    }

    /**
     * Reads the stock, checks it, writes it back. So nothing but the lock keeps two buyers apart here, and its order
     * alone decides. In a shop of your own write `->where('stock', '>', 0)->decrement('stock')`: that holds even when
     * the lock was lost.
     */
    private function sell(string $sku, string $buyer): ?int
    {
        $stock = DB::table('products')->where('sku', $sku)->value('stock');
        if ($stock < 1) {
            return null;
        }
        DB::table('products')->where('sku', $sku)->update(['stock' => $stock - 1]);

        return DB::table('orders')->insertGetId(['sku' => $sku, 'buyer' => $buyer]);
    }

    /** @param callable(): ?int $sell */
    private function answer(callable $sell): JsonResponse
    {
        try {
            $order = $sell();
        } catch (LockTimeoutException) {
            return response()->json(['error' => 'Too many buyers, try again.'], 503, ['Retry-After' => 1]);
        }

        return $order === null
            ? response()->json(['error' => 'Sold out.'], 409)
            : response()->json(['order' => $order], 201);
    }
}
