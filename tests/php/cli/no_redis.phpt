--TEST--
redislock: a server that is no Redis, or quotes the password, is told without a secret
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/cli.inc';

/** Runs it on a server that answers anything with this. */
function answered(string $answer): void
{
    $server = Worker::start('
        $listener = stream_socket_server("tcp://127.0.0.1:0");
        echo stream_socket_get_name($listener, false), "\n";
        $client = stream_socket_accept($listener, 30);
        fread($client, 4096);
        fwrite($client, $argv[1]);
        stream_set_timeout($client, 30);
        while (!feof($client) && fread($client, 4096) !== "");
    ', [$answer]);
    $at = $server->readLine();
    $run = cli(['--server=env:LOCKS', 'ls'], ['LOCKS' => "redis://ops:very-secret@$at"], ['-d', 'redislock.read_timeout=0.5']);
    echo json_encode(substr($answer, 0, 20)), ': ', $run->out, str_replace($at, 'HOST:PORT', $run->err), "=> $run->status\n";
    has_no_secret('  ', "$run->out$run->err", 'very-secret');
}

answered("HTTP/1.1 400 Bad Request\r\n\r\n");
answered("-ERR unknown command 'AUTH', with args beginning with: 'ops' 'very-secret'\r\n");
answered("+OK\r\n-ERR no, very\x1b[31m red\r\n");
answered("+OK\r\n*999999999\r\n");
answered("+OK\r\n\$999999999\r\n");
answered("+OK\r\n*2\r\n\$1\r\n0\r\n*1\r\n\$10\r\nshort");
?>
--EXPECT--
"HTTP\/1.1 400 Bad Req": redislock: redis://HOST:PORT/0: this is no Redis
=> 3
  : no secret
"-ERR unknown command": redislock: redis://HOST:PORT/0: the login was refused (ERR)
=> 3
  : no secret
"+OK\r\n-ERR no, very\u001b[": redislock: redis://HOST:PORT/0: SCAN: ERR no, very\x1b[31m red
=> 3
  : no secret
"+OK\r\n*999999999\r\n": redislock: redis://HOST:PORT/0: its reply is too long
=> 3
  : no secret
"+OK\r\n$999999999\r\n": redislock: redis://HOST:PORT/0: its reply is too long
=> 3
  : no secret
"+OK\r\n*2\r\n$1\r\n0\r\n*1\r\n": redislock: redis://HOST:PORT/0: no answer in time
=> 3
  : no secret
