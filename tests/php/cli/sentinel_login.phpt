--TEST--
redislock logs in at the sentinels with a password from the environment, over TLS where they have it
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';
require __DIR__ . '/../inc/sentinel.inc';

const AT_SENTINEL = 's3ntinel';

$set = SentinelSet::start(sentinelConfig: ['user warden on >' . AT_SENTINEL . ' +@all'], password: 'at-m4ster', sentinelPassword: AT_SENTINEL, tls: 'both');
$env = ['LOCKS' => $set->dsn(), 'SENTINEL' => AT_SENTINEL, 'WRONG' => 'wr0ng', 'EMPTY' => ''];
(new RedisLock($set->dsn(), $set->options + ['auto_release' => false]))->lock('SKU0001');

/** Looks for the lock, and shows what it says. */
function look(string $label, string ...$args): void
{
    global $set, $env;
    $run = cli(['--server=env:LOCKS', ...$args, 'ls', '--json'], $env, ['-d', 'redislock.connect_timeout=3']);
    $found = $run->status === 0 ? json_encode(array_column($run->json(), 'name')) . "\n" : '';
    $same = ['/127\.0\.0\.1:\d+/' => 'HOST:PORT', '/(sentinel; |HOST:PORT: )TLS.*|(HOST:PORT: ).*(certificate|closed|SSL).*/' => '$1$2…'];
    echo "$label: $found", preg_replace(array_keys($same), array_values($same), $run->err), "=> $run->status\n";
    has_no_secret('  ', "$run->out$run->err", 's3ntinel', 'm4ster', 'wr0ng');
}

$tls = '--tls=cafile=' . $set->options['tls']['cafile'];
look('the default user', $tls, '--sentinel-password=env:SENTINEL');
look('a user', $tls, '--sentinel-password=ENV:SENTINEL', '--sentinel-username', 'warden');
look('typed', $tls, '--sentinel-password=' . AT_SENTINEL);
look('said twice that it is TLS', $tls, '--sentinel-password=env:SENTINEL', '--sentinel-tls=on');
look('none', $tls);
look('a wrong one', $tls, '--sentinel-password=env:WRONG');
look('another user', $tls, '--sentinel-password=env:SENTINEL', '--sentinel-username=other');
look('an empty variable', $tls, '--sentinel-password=env:EMPTY');
look('no authority', '--sentinel-password=env:SENTINEL');
look('no TLS at the sentinels', $tls, '--sentinel-password=env:SENTINEL', '--sentinel-tls=0');

// ping needs the login too, and tells of the sentinels.
$run = cli(['--server=env:LOCKS', $tls, '--sentinel-password=env:SENTINEL', 'ping', '--json'], $env);
echo json_encode($run->json()['sentinels']), "\n";
has_no_secret('  ', "$run->out$run->err", 's3ntinel', 'm4ster');
?>
--EXPECT--
the default user: ["SKU0001"]
=> 0
  : no secret
a user: ["SKU0001"]
=> 0
  : no secret
typed: ["SKU0001"]
redislock: warning: other users of this machine can see the password in --sentinel-password: use --sentinel-password=env:NAME
=> 0
  : no secret
said twice that it is TLS: ["SKU0001"]
=> 0
  : no secret
none: redislock: rediss-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/mymaster/0: no sentinel could be asked; HOST:PORT: a password is needed (NOAUTH): put it into an environment variable, and use --sentinel-password=env:NAME
=> 3
  : no secret
a wrong one: redislock: rediss-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/mymaster/0: no sentinel could be asked; HOST:PORT: the login was refused (WRONGPASS)
=> 3
  : no secret
another user: redislock: rediss-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/mymaster/0: no sentinel could be asked; HOST:PORT: the login was refused (WRONGPASS)
=> 3
  : no secret
an empty variable: redislock: env:EMPTY: the environment variable is not set
=> 2
  : no secret
no authority: redislock: rediss-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/mymaster/0: no sentinel could be asked; HOST:PORT: …
=> 3
  : no secret
no TLS at the sentinels: redislock: rediss-sentinel://HOST:PORT,HOST:PORT,HOST:PORT/mymaster/0: no sentinel could be asked; HOST:PORT: …
=> 3
  : no secret
{"named":3,"answered":3,"known":3}
  : no secret
