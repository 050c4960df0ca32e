<?php

/* For PHPUnit and for the processes that tests start. COMPOSER_VENDOR_DIR names the folder of the packages. */

$vendor = getenv('COMPOSER_VENDOR_DIR') ?: __DIR__.'/vendor';
$_SERVER['COMPOSER_VENDOR_DIR'] = $_ENV['COMPOSER_VENDOR_DIR'] = $vendor; // Laravel's package discovery reads it there
require $vendor.'/autoload.php';

require_once __DIR__.'/../../../tests/php/inc/server.inc';
require_once __DIR__.'/../../../tests/php/inc/process.inc';
require_once __DIR__.'/../../../tests/php/inc/sentinel.inc';
require_once __DIR__.'/../../../tests/php/inc/cluster.inc';
require_once __DIR__.'/../../../tests/php/tls/tls.inc';
