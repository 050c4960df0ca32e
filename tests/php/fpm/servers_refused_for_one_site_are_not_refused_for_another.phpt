--TEST--
php-fpm: where a site's .user.ini names servers with a password, only its own requests are refused; a pool's setting counts for all
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/fastcgi.inc';
skip_without_fpm();
?>
--FILE--
<?php
require __DIR__ . '/fastcgi.inc';

const WITH_PASSWORD = 'redis://:secret@10.0.0.1', CODE = <<<'PHP'
    <?php
    if (isset($_GET['restore'])) {
        ini_restore('redislock.servers');
    }
    try {
        new RedisLock();
        echo 'takes ', ini_get('redislock.servers');
    } catch (ValueError $e) {
        echo strstr($e->getMessage(), ' must be given', true);
    }
    PHP;

/** Makes a folder with a script, and with a .user.ini that sets the servers. */
function site(Fpm $fpm, string $name, ?string $servers): void
{
    mkdir($fpm->path($name));
    $fpm->script("$name/construct.php", CODE);
    if ($servers !== null) {
        $fpm->script("$name/.user.ini", "redislock.servers = \"$servers\"\n");
    }
}

foreach (['no' => [], 'a' => ['php_value[redislock.servers] = "' . WITH_PASSWORD . '"']] as $which => $pool) {
    $fpm = Fpm::start(1, $pool, ['error_log' => '/dev/null']);
    site($fpm, 'refused', WITH_PASSWORD);
    site($fpm, 'good', 'redis://10.0.0.3');
    site($fpm, 'plain', null);
    foreach (['plain', 'refused', 'plain', 'refused?restore', 'plain', 'good', 'good?restore'] as $request) {
        [$site, $restore] = explode('?', "$request?");
        echo "$which password in the pool, $request: ", $fpm->get("$site/construct.php", $restore !== '' ? [$restore => 1] : []), "\n";
    }
}
?>
--EXPECT--
no password in the pool, plain: takes redis://127.0.0.1:6379
no password in the pool, refused: RedisLock::__construct(): Argument #1 ($servers)
no password in the pool, plain: takes redis://127.0.0.1:6379
no password in the pool, refused?restore: RedisLock::__construct(): Argument #1 ($servers)
no password in the pool, plain: takes redis://127.0.0.1:6379
no password in the pool, good: takes redis://10.0.0.3
no password in the pool, good?restore: takes redis://127.0.0.1:6379
a password in the pool, plain: RedisLock::__construct(): Argument #1 ($servers)
a password in the pool, refused: RedisLock::__construct(): Argument #1 ($servers)
a password in the pool, plain: RedisLock::__construct(): Argument #1 ($servers)
a password in the pool, refused?restore: RedisLock::__construct(): Argument #1 ($servers)
a password in the pool, plain: RedisLock::__construct(): Argument #1 ($servers)
a password in the pool, good: takes redis://10.0.0.3
a password in the pool, good?restore: RedisLock::__construct(): Argument #1 ($servers)
