<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration
{
    public function up(): void
    {
        Schema::create('products', function (Blueprint $table) {
            $table->string('sku')->primary();
            $table->integer('stock');
        });
        Schema::create('orders', function (Blueprint $table) {
            $table->id();
            $table->string('sku');
            $table->string('buyer')->index();
        });
    }

    public function down(): void
    {
        Schema::drop('orders');
        Schema::drop('products');
    }
};
