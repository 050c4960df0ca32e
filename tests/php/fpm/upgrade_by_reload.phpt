--TEST--
A new module that takes the old one's place is loaded by a reload of php-fpm; a request that holds a lock ends before, if it was given time
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/fastcgi.inc';
skip_without_fpm();
if (!is_file(Fpm::extension())) {
    die('skip needs the module by its path');
}
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/fastcgi.inc';

$server = RedisServer::start();
$redis = $server->client();

/** Puts a copy of the module where the old one is: a new file, as `make install` makes it. */
function install(string $module): int
{
    copy(Fpm::extension(), "$module.new");
    rename("$module.new", $module);
    clearstatcache();
    return fileinode($module);
}

/** Upgrades while a request holds a lock. The timeout may be changed just before. */
function upgrade(string $given, string $changed = ''): void
{
    global $server, $redis;
    echo "-- process_control_timeout = $given", $changed === '' ? '' : ", and $changed since just before", "\n";
    $redis->cmd('FLUSHALL');
    $folder = new PrivateFolder();
    $module = "$folder->path/redislock.so";
    $first = install($module);
    $fpm = Fpm::start(1, ['env[SERVER] = ' . $server->dsn(), '[global]', "process_control_timeout = $given"], ['extension' => $module]);
    $fpm->script('inode.php', '<?php preg_match("~^\S+ \S+ \S+ \S+ (\d+) +\S*/redislock\.so~m", file_get_contents("/proc/self/maps"), $line); echo $line[1];');
    $fpm->script('work.php', '<?php
        $lock = new RedisLock("env:SERVER");
        $lock->lock("x", expire: 60);
        for ($until = time() + 30; !is_file(__DIR__ . "/end") && time() < $until;) usleep(1000);
        echo $lock->unlock("x") ? "released" : "lost";');
    is_so('the old one is loaded', $fpm->get('inode.php') === (string) $first);

    $request = $fpm->request('work.php');
    is_so('a request holds the lock', wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 1));
    $second = install($module);
    $old = $fpm->workers();
    if ($changed !== '') {
        $config = file_get_contents($fpm->path('fpm.conf'));
        file_put_contents($fpm->path('fpm.conf'), str_replace("process_control_timeout = $given", "process_control_timeout = $changed", $config));
    }
    $fpm->signal('USR2');
    if ($given !== '0') {
        usleep(200_000); // it goes on meanwhile
        touch($fpm->path('end'));
        $request->finish();
        echo 'the request: ', $request->body(), "\n";
    }
    is_so('its worker has gone', wait_until(fn () => !array_intersect($old, $fpm->workers()) && count($fpm->workers()) === 1));
    echo 'its lock: ', $redis->cmd('EXISTS', 'lock:x') === 0 ? 'released' : 'left', "\n";
    is_so('the new one is loaded', $second !== $first && $fpm->get('inode.php') === (string) $second);
}

/** Restarts, as systemd does, while a request holds a lock. */
function restart(string $given): void
{
    global $server, $redis;
    echo "-- restart, process_control_timeout = $given\n";
    $redis->cmd('FLUSHALL');
    $fpm = Fpm::start(1, ['env[SERVER] = ' . $server->dsn(), '[global]', "process_control_timeout = $given"]);
    $fpm->script('work.php', '<?php $lock = new RedisLock("env:SERVER"); $lock->lock("x", expire: 60); sleep(30);');
    $request = $fpm->request('work.php');
    is_so('a request holds the lock', wait_until(fn () => $redis->cmd('EXISTS', 'lock:x') === 1));
    $fpm->signal('TERM');
    is_so('it ends at once', $fpm->wait(15.0));
    echo 'its lock: ', $redis->cmd('EXISTS', 'lock:x') === 0 ? 'released' : 'left', "\n";
}

upgrade('20');
upgrade('0');
upgrade('0', '20');
restart('20');
?>
--EXPECT--
-- process_control_timeout = 20
the old one is loaded: yes
a request holds the lock: yes
the request: released
its worker has gone: yes
its lock: released
the new one is loaded: yes
-- process_control_timeout = 0
the old one is loaded: yes
a request holds the lock: yes
its worker has gone: yes
its lock: left
the new one is loaded: yes
-- process_control_timeout = 0, and 20 since just before
the old one is loaded: yes
a request holds the lock: yes
its worker has gone: yes
its lock: left
the new one is loaded: yes
-- restart, process_control_timeout = 20
a request holds the lock: yes
it ends at once: yes
its lock: left
