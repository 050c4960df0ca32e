--TEST--
php-fpm: a fatal error in the handler of a warning of ours leaves nothing of the call in the worker's memory
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/fastcgi.inc';
skip_without_fpm();
is_readable('/proc/self/status') || die('skip needs /proc');
skip_under_valgrind('it needs more address space than the test allows');
find_program('prlimit') !== null || die('skip needs prlimit');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/fastcgi.inc';

/** So many bytes have the token, and the password that the environment gives: what a server takes before the login. */
const LONG = 16000;

$server = RedisServer::start();
$server->client()->cmd('CONFIG', 'SET', 'requirepass', str_repeat('p', LONG));
$fpm = Fpm::start(1);
$fpm->script('warns.php', '<?php
    const LONG = ' . LONG . ';
    $status = fn (string $what) => preg_match("/^$what:\s+(\d+) kB/m", file_get_contents("/proc/self/status"), $found) ? $found[1] : "";
    $limit = fn (string $bytes) => exec("prlimit --pid " . getmypid() . " --as=$bytes:");
    register_shutdown_function(function () use ($status, $limit) {
        $limit("unlimited");
        echo $status("RssAnon");
    });
    set_error_handler(function (int $level, string $message) {
        if ($level === E_WARNING) {
            echo preg_match("/could not release|cannot start the thread/", $message, $found) ? "$found[0]: " : $message;
            trigger_error("dies", E_USER_ERROR);
        }
        return false;
    });
    putenv("SERVER=unix://:" . str_repeat("p", LONG) . "@$_GET[socket]");
    $lock = new RedisLock("env:SERVER", ["on_loss" => "throw", "auto_release" => $_GET["what"] !== "expire()", "read_timeout" => 1]);
    for ($i = 0; $i < 5; $i++) {
        $lock->lock(uniqid("", true), 0, INF, str_repeat("t", LONG)) || print("NOT HAD");
    }
    if ($_GET["what"] === "expire()") {
        $limit(($status("VmSize") + 400) * 1024); // less than the stack of a thread
        $lock->expire(array_key_first($lock->held()), 60);
    } else {
        exec("kill -STOP $_GET[pid]");
        unset($lock);
    }
    echo "NOT REACHED";');
foreach (['the end of an object' => ['could not release', 10], 'expire()' => ['cannot start the thread', 60]] as $what => [$warning, $requests]) {
    $kB = [];
    for ($i = 0; $i < 5 + $requests; $i++) {
        $out = $fpm->get('warns.php', ['what' => $what, 'socket' => $server->socket(), 'pid' => $server->pid()]);
        $server->resume();
        $kB[] = preg_match("/^$warning: (\d+)$/", $out, $found) ? (int) $found[1] : $out;
    }
    is_so("$what: each request ended so", array_filter($kB, 'is_int') === $kB, $kB);
    is_between("$what: kB that $requests of them left", (int) end($kB) - (int) $kB[4], -2048, 500);
}
?>
--EXPECT--
the end of an object: each request ended so: yes
the end of an object: kB that 10 of them left: yes
expire(): each request ended so: yes
expire(): kB that 60 of them left: yes
