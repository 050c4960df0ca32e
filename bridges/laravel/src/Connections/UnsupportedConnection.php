<?php

namespace Redislock\Laravel\Connections;

use InvalidArgumentException;

/** Something in config/database.php that the lock cannot honour. Better none than one in another place. */
class UnsupportedConnection extends InvalidArgumentException
{
    public function __construct(string $key, string $why)
    {
        parent::__construct("redislock cannot use database.redis.$key: $why");
    }
}
