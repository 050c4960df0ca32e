<?php

use Illuminate\Foundation\Application;
use Illuminate\Foundation\Configuration\Middleware;
use Illuminate\Http\Middleware\HandleCors;

return Application::configure(basePath: dirname(__DIR__))
    ->withRouting(api: __DIR__.'/../routes/api.php', apiPrefix: '')
    ->withMiddleware(fn (Middleware $middleware) => $middleware->remove(HandleCors::class)) // no other site's pages buy here
    ->withExceptions(fn () => null)
    ->create();
