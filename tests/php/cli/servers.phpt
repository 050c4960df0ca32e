--TEST--
redislock: which server it asks, and what it says of one that it cannot ask
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$server = RedisServer::start(['user ops on >s@cret/%20 ~* &* +@all'], tcp: true, password: 'other');
$redis = $server->client();
$redis->cmd('SELECT', 3);
$redis->cmd('SET', 'shop:SKU0001', 'x');
$port = $server->port();
$login = 'ops:s@cret%2F%2520';

/** Looks for the lock, and shows what it says, without what must not be shown. */
function look(string $label, array $args, array $env = [], array $options = []): void
{
    global $port;
    $run = cli([...$args, 'ls', '--json'], $env, $options);
    $found = $run->status === 0 ? json_encode(array_column($run->json(), 'name')) : '';
    echo "$label: $found", str_replace((string) $port, 'PORT', preg_replace(['~unix://\S+/~', '/: ERR .*/'], ['unix://…/', ': ERR …'], $run->err)), "=> $run->status\n";
    has_no_secret('  ', "$run->out$run->err", 's@cret', 'cret%2F', 'wrong-one');
}

look('TCP', ["--server=redis://$login@127.0.0.1:$port/3", '--prefix=shop:']);
look('a name', ["--server=tcp://$login@localhost:$port/3", '--prefix', 'shop:']);
look('unix', ["--server=unix://$login@" . $server->socket() . '?db=3', '--prefix=shop:']);
look('environment', ['--server=env:LOCKS', '--prefix=shop:'], ['LOCKS' => "redis://$login@127.0.0.1:$port/3"]);
look('php.ini', [], ['LOCKS' => "redis://$login@127.0.0.1:$port/3"], ['-d', 'redislock.servers=env:LOCKS', '-d', 'redislock.prefix=shop:']);
look('Valkey', ['--server=ENV:LOCKS', '--prefix=shop:'], ['LOCKS' => "Valkey://$login@127.0.0.1:$port/3"]);
look('UNIX', ['--server=env:LOCKS', '--prefix=shop:'], ['LOCKS' => "UNIX://$login@" . $server->socket() . '?db=3']);
look('another database', ["--server=redis://$login@127.0.0.1:$port/0", '--prefix=shop:']);
look('the password of the default user', ["--server=redis://:other@127.0.0.1:$port/3", '--prefix=shop:']);

look('wrong password', ["--server=redis://ops:wrong-one@127.0.0.1:$port/3"]);
look('no password', ["--server=redis://127.0.0.1:$port/3"]);
look('no such database', ["--server=redis://$login@127.0.0.1:$port/99"]);
look('nobody listens', ['--server=redis://127.0.0.1:1']);
look('no such socket', ['--server=unix:///nonexistent/redis.sock']);
look('no such variable', ['--server=env:REDISLOCK_TEST_NOT_SET']);
look('no server in the variable', ['--server=env:LOCKS'], ['LOCKS' => 's@cret']);
look('no server', ['--server=s@cret']);
look('TLS options without TLS', ["--server=redis://127.0.0.1:$port", '--tls=cafile=/x']);
look('unknown TLS option', ["--server=rediss://127.0.0.1:$port", '--tls=ca=/x']);

// A server that hangs is given up.
$free = RedisServer::start(tcp: true);
look('an empty login', ['--server=redis://:@127.0.0.1:' . $free->port()]);
$server->pause();
look('a server that hangs', ["--server=redis://127.0.0.1:$port"], [], ['-d', 'redislock.read_timeout=0.2']);
$server->resume();
?>
--EXPECT--
TCP: ["SKU0001"]redislock: warning: other users of this machine can see the password in --server: use --server=env:NAME
=> 0
  : no secret
a name: ["SKU0001"]redislock: warning: other users of this machine can see the password in --server: use --server=env:NAME
=> 0
  : no secret
unix: ["SKU0001"]redislock: warning: other users of this machine can see the password in --server: use --server=env:NAME
=> 0
  : no secret
environment: ["SKU0001"]=> 0
  : no secret
php.ini: ["SKU0001"]=> 0
  : no secret
Valkey: ["SKU0001"]=> 0
  : no secret
UNIX: ["SKU0001"]=> 0
  : no secret
another database: []redislock: warning: other users of this machine can see the password in --server: use --server=env:NAME
=> 0
  : no secret
the password of the default user: ["SKU0001"]redislock: warning: other users of this machine can see the password in --server: use --server=env:NAME
=> 0
  : no secret
wrong password: redislock: warning: other users of this machine can see the password in --server: use --server=env:NAME
redislock: redis://127.0.0.1:PORT/3: the login was refused (WRONGPASS)
=> 3
  : no secret
no password: redislock: redis://127.0.0.1:PORT/3: a password is needed (NOAUTH): put [user]:password@ before the host, all of it into an environment variable, and use --server=env:NAME
=> 3
  : no secret
no such database: redislock: warning: other users of this machine can see the password in --server: use --server=env:NAME
redislock: redis://127.0.0.1:PORT/99: SELECT: ERR …
=> 3
  : no secret
nobody listens: redislock: redis://127.0.0.1:1/0: Connection refused
=> 3
  : no secret
no such socket: redislock: unix://…/redis.sock: No such file or directory
=> 3
  : no secret
no such variable: redislock: env:REDISLOCK_TEST_NOT_SET: the environment variable is not set
=> 2
  : no secret
no server in the variable: redislock: --server: a server is written redis://host:6379, unix:///path or env:NAME
=> 2
  : no secret
no server: redislock: --server: a server is written redis://host:6379, unix:///path or env:NAME
=> 2
  : no secret
TLS options without TLS: redislock: --server: the option "tls" needs a server with TLS: rediss://
=> 2
  : no secret
unknown TLS option: redislock: option "tls" has an unknown "ca"
=> 2
  : no secret
an empty login: []=> 0
  : no secret
a server that hangs: redislock: redis://127.0.0.1:PORT/0: no answer in time
=> 3
  : no secret
