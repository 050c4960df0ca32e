<?php
// load.php CLIENT: one request after the other, until /srv/stop is there. /srv/answers gets a line for each: when it was
// served, how many ms it took, and what it said.
require __DIR__ . '/../tests/php/fpm/fastcgi.inc';
$socket = '/run/php/php' . PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION . '-fpm.sock';
[$until, $id] = [time() + 240, $argv[1] * 1000000];
while (!file_exists('/srv/stop')) {
    $id++;
    $began = hrtime(true);
    try {
        time() < $until || throw new RuntimeException('The upgrades took too long.');
        $request = new FcgiRequest($socket, '/srv/shop/lock.php', "id=$id");
        $request->finish();
        [$at, $said] = explode(' ', $request->body(), 2) + [1 => ''];
    } catch (RuntimeException $e) {
        if ($until > time() && !file_exists("/srv/begun/$id")) {
            // At a reload, a worker may drop the connection that it just accepted. As nothing ran, a web server tries again.
            file_put_contents('/srv/dropped', "$id\n", FILE_APPEND | LOCK_EX);
            usleep(10000);
            continue;
        }
        [$at, $said] = [hrtime(true), strtr($e->getMessage(), "\n", ' ')];
    }
    file_put_contents('/srv/answers', sprintf("%s %d %s\n", $at, (hrtime(true) - $began) / 1e6, $said), FILE_APPEND | LOCK_EX);
    time() < $until || exit(1);
}
