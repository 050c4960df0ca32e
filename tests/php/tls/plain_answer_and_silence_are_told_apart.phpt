--TEST--
rediss:// to a port without TLS: the message says so, or that it may be so where nothing answers the handshake
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';

/** Answers whatever is sent with this, and keeps the connection. */
function answered(string $answer): void
{
    $server = Worker::start('
        $listener = stream_socket_server("tcp://127.0.0.1:0");
        echo substr(strrchr(stream_socket_get_name($listener, false), ":"), 1), "\n";
        $client = stream_socket_accept($listener, 30);
        fread($client, 4096);
        fwrite($client, hex2bin($argv[1]));
        stream_set_timeout($client, 30);
        while (!feof($client) && fread($client, 4096) !== "");
    ', [bin2hex($answer)]);
    $lock = new RedisLock('rediss://127.0.0.1:' . $server->readLine(), ['connect_timeout' => slow(0.5), 'read_timeout' => slow(1), 'tls' => ['verify_peer' => false]]);
    try {
        $lock->lock('x');
    } catch (RedisLockConnectionException $e) {
        echo json_encode(substr($answer, 0, 4)), ': ', preg_replace('~^rediss://[^ ]+ ~', '', $e->getMessage()), "\n";
    }
}

answered("-ERR unknown command '\x16\x03\x01'\r\n");
answered("HTTP/1.1 400 Bad Request\r\n\r\n");
answered('');
answered("\x15\x03\x03\x00\x02\x02\x28"); // an alert: it speaks TLS, and refuses
?>
--EXPECTF--
"-ERR": TLS: the server does not speak TLS on this port (lock "x")
"HTTP": TLS: the server does not speak TLS on this port (lock "x")
"": TLS: the handshake did not end in time; the server hangs, or does not speak TLS on this port (lock "x")
"\u0015\u0003\u0003\u0000": TLS: the handshake failed (%s) (lock "x")
