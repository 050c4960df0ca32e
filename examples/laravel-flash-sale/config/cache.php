<?php

return [

    'default' => env('CACHE_STORE', 'redislock'),

    'stores' => [
        'redislock' => ['driver' => 'redislock', 'connection' => 'cache', 'lock_connection' => 'default'],
    ],

];
