<?php

use App\Http\Controllers\BuyController;
use Illuminate\Support\Facades\Route;

Route::post('/buy/{sku}', [BuyController::class, 'buy']);
Route::post('/buy-in-the-wrong-order/{sku}', [BuyController::class, 'buyInTheWrongOrder']);
