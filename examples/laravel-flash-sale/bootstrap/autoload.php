<?php

/* The packages are here, or where COMPOSER_VENDOR_DIR says: then they know nothing of this application's classes. */

$vendor = getenv('COMPOSER_VENDOR_DIR') ?: dirname(__DIR__).'/vendor';
$loader = require "$vendor/autoload.php";
$loader->addPsr4('App\\', dirname(__DIR__).'/app');
