<?php
/*
 * Runs on this system, and has the servers, wires and certificates of tests whose PHP runs on Windows: what these know as RedisServer, Wire
 * and Certificates (see inc/) asks for one here and calls its methods by TCP. What a test has had is gone when its connection is.
 *
 *     php -n host.php FOLDER-OF-INC    prints the port of 127.0.0.1 at which it listens, and goes on until its standard input ends
 *
 * A line is a request or its reply: base64 of what serialize() makes of [object, method, arguments], and of [result, null] or
 * [null, error].
 */

require_once "$argv[1]/wire.inc";
require_once "$argv[1]/certificates.inc";

/** Its port is the host's business: a relay has no other address there. */
function make_wire(RedisServer $server): array
{
    $port = free_port();
    return [new Wire($server, $port), $port];
}

/** @param array<int, object> $objects those of the connection, by number */
function answer(array &$objects, int $number, string $method, array $args): mixed
{
    switch ($method) {
        case 'startAlone':
            $objects[] = RedisServer::startAlone(...$args);
            return array_key_last($objects);
        case 'makeWire':
            [$objects[], $port] = make_wire($objects[$number]);
            return [array_key_last($objects), $port];
        case 'freePort':
            return free_port();
        case 'makeCertificates':
            $objects[] = $made = new Certificates();
            return [array_key_last($objects), $made->authority];
        case 'forgetObject':
            unset($objects[$number]);
            return null;
    }
    return $objects[$number]->$method(...$args);
}

function reply(array &$objects, string $line): string
{
    try {
        $reply = [answer($objects, ...unserialize(base64_decode($line))), null];
    } catch (Throwable $e) {
        $reply = [null, get_class($e) . ': ' . $e->getMessage()];
    }
    return base64_encode(serialize($reply)) . "\n";
}

$listener = stream_socket_server('tcp://127.0.0.1:0');
echo substr(strrchr(stream_socket_get_name($listener, false), ':'), 1), "\n";

$streams = ['listener' => $listener, 'stdin' => STDIN];
$objects = [];
while (true) {
    $ready = $streams;
    $none = null;
    stream_select($ready, $none, $none, null);
    foreach ($ready as $key => $stream) {
        if ($key === 'stdin') {
            exit;
        }
        if ($key === 'listener') {
            $streams[] = stream_socket_accept($listener);
        } elseif (($line = fgets($stream)) === false) {
            unset($streams[$key], $objects[$key]);
        } else {
            $objects[$key] ??= [];
            fwrite($stream, reply($objects[$key], $line));
        }
    }
}
