<?php

declare(strict_types=1);

if (!extension_loaded('redislock')) {
    fwrite(STDERR, "the extension redislock is not loaded: php -d extension=…/redislock.so vendor/bin/phpunit\n");
    exit(1);
}

require dirname(__DIR__) . '/vendor/autoload.php';
// Private servers, as the extension's own tests start them.
require dirname(__DIR__, 3) . '/tests/php/inc/server.inc';
require dirname(__DIR__, 3) . '/tests/php/inc/sentinel.inc';
require dirname(__DIR__, 3) . '/tests/php/inc/cluster.inc';
require dirname(__DIR__, 3) . '/tests/php/inc/process.inc';
