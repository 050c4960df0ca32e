<?php
/*
 * Runs on this system, and has the servers, wires, certificates and the like of tests whose PHP runs on Windows: what these know as
 * RedisServer, Wire and so on (see inc/) asks for one here and calls its methods by TCP. What a test has had is gone when its connection
 * is.
 *
 *     php -n host.php FOLDER-OF-INC            prints the port of 127.0.0.1 at which it listens, and goes on until its standard input ends
 *     php -n host.php FOLDER-OF-INC answer     a process of a test's own, whose connection is its standard input and output
 *
 * A line is a request or its reply: base64 of what serialize() makes of [whose, what, arguments], and of [result, null] or
 * [null, error]. See Host::call() in inc/host.inc for whose and what; as an argument, an object is one that has its number.
 */

/** Makes a process for each test, so that none waits for what another one asks. */
function listen(): void
{
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    echo substr(strrchr(stream_socket_get_name($listener, false), ':'), 1), "\n";
    $processes = [];
    while (true) {
        $ready = [$listener, STDIN];
        $none = null;
        stream_select($ready, $none, $none, null);
        if (in_array(STDIN, $ready, true)) {
            exit;
        }
        $processes = array_filter($processes, fn ($process) => proc_get_status($process)['running']);
        $connection = stream_socket_accept($listener);
        $processes[] = proc_open([PHP_BINARY, '-n', '-d', 'default_socket_timeout=-1', ...$GLOBALS['argv'], 'answer'], [$connection, $connection], $pipes);
    }
}

/** @var array<int, object> those that the test knows by these numbers */
$objects = [];

function forget_object(int $number): void
{
    unset($GLOBALS['objects'][$number]);
}

function run(string|int $whose, string $what, array $args): mixed
{
    global $objects;
    $args = array_map(fn ($arg) => $arg instanceof stdClass ? $objects[$arg->number] : $arg, $args);
    $result = match (true) {
        is_int($whose) => $objects[$whose]->$what(...$args),
        $whose === '' => $what(...$args),
        $what === '__construct' => new $whose(...$args),
        default => $whose::$what(...$args),
    };
    if (is_object($result)) {
        $objects[] = $result;
        return array_key_last($objects);
    }
    return $result;
}

function answer(): void
{
    while (($line = fgets(STDIN)) !== false) {
        try {
            $reply = [run(...unserialize(base64_decode($line))), null];
        } catch (Throwable $e) {
            $reply = [null, get_class($e) . ': ' . $e->getMessage()];
        }
        fwrite(STDOUT, base64_encode(serialize($reply)) . "\n");
    }
}

if (isset($argv[2])) {
    foreach (['wire', 'certificates', 'cut', 'sentinel'] as $file) {
        require_once "$argv[1]/$file.inc";
    }
    answer();
} else {
    listen();
}
