--TEST--
All that a script prints that fails to log in, or later, with every display switched on: no password and no token
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/wire.inc';
require __DIR__ . '/../inc/check.inc';

// Encoded in the DSN, so that neither form may show.
const PASSWORD = 'pass@w0rd/s3cret';
const TOKEN = 't0ken-s3cret';

$server = RedisServer::start(['user alice on >' . PASSWORD . ' ~* &* +@all'], tcp: true);
$wire = new Wire($server);
$encoded = rawurlencode(PASSWORD);
$tcp = $server->tcpDsn("alice:$encoded");
$wired = fn ($user = 'alice') => str_replace('://', "://$user:$encoded@", $wire->dsn());

// What the script does, after $dsn was set; each ends in an error that nobody catches.
$fail = '(new RedisLock($dsn))->lock("x", null, null, "' . TOKEN . '");';
$quotes = "'alice' '" . PASSWORD . "'";
$failures = [
    'wrong password' => [$server->tcpDsn("alice:{$encoded}x"), $fail],
    'unknown user' => [$server->tcpDsn("bob:$encoded"), $fail],
    'unreachable' => ["redis://alice:$encoded@127.0.0.1:1", $fail],
    'no such database' => [$server->tcpDsn("alice:$encoded", 99), $fail],
    'no password at all where the options have one' => [$server->tcpDsn(), '(new RedisLock($dsn, ["username" => "alice", "password" => "' . PASSWORD . 'x"]))->owner("x");'],
    'malformed' => ["redis://alice:$encoded@127.0.0.1:port", $fail],
    'malformed in the environment' => ['', 'putenv("REDISLOCK_TEST_DSN=redis://alice:' . $encoded . '@127.0.0.1:port"); (new RedisLock("env:REDISLOCK_TEST_DSN"))->owner("x");'],
    'unreachable by the environment' => ['', 'putenv("REDISLOCK_TEST_DSN=redis://alice:' . $encoded . '@127.0.0.1:1"); (new RedisLock("env:REDISLOCK_TEST_DSN"))->owner("x");'],
    'an option of the wrong type' => [$tcp, 'new RedisLock($dsn, ["password" => ["' . PASSWORD . '"]]);'],
    'an unknown option' => [$tcp, 'new RedisLock([$dsn], ["password" => "' . PASSWORD . '", "passwort" => "' . PASSWORD . '"]);'],
    'a second construction' => [$tcp, '$lock = new RedisLock($dsn); $lock->__construct($dsn, ["password" => "' . PASSWORD . '"]);'],
    'a clone' => [$tcp, '$lock = new RedisLock($dsn); clone $lock;'],
    'serialize' => [$tcp, 'serialize(new RedisLock($dsn));'],
    'a token of the wrong type' => [$tcp, '(new RedisLock($dsn))->lock("x", null, null, ["' . TOKEN . '"]);'],
    'an object without its constructor' => [$tcp, '(new ReflectionClass("RedisLock"))->newInstanceWithoutConstructor()->lock("x", null, null, "' . TOKEN . '");'],
    'an error reply' => [$tcp, '$lock = new RedisLock($dsn); $lock->lock("x", null, null, "' . TOKEN . '"); $lock->lock("y", 0.0, null, "' . TOKEN . '"); trigger_error(print_r([$lock, $lock->held()], true), E_USER_WARNING); $lock->unlock("");'],
    'a section that throws' => [$tcp, '$lock = new RedisLock($dsn); $lock->synchronized("x", function () { throw new LogicException("the section"); });'],
    'tls to a server without' => [str_replace('redis://', 'rediss://', $tcp), $fail],
];
foreach ($failures as $failure => [$dsn, $code]) {
    $output = Worker::run('$dsn = getenv("DSN"); putenv("DSN"); unset($_SERVER["DSN"], $_ENV["DSN"]);' . $code, [], ['DSN' => $dsn], ['-d', 'zend.exception_ignore_args=0', '-d', 'zend.exception_string_param_max_len=1000000', '-d', 'display_errors=1', '-d', 'error_reporting=-1']);
    // The code stands on the command line, which no trace shows.
    $failed = str_contains($output, 'Uncaught');
    has_no_secret($failed ? $failure : "$failure DID NOT FAIL: $output", $output, PASSWORD, $encoded, TOKEN);
}

// A server, or what stands before it, that repeats what it was sent.
$replies = [
    "-ERR unknown command 'AUTH', with args beginning with: $quotes\r\n",
    "-WRONGPASS invalid username-password pair $quotes\r\n",
    '-' . PASSWORD . "\r\n",
    "-NOAUTH $quotes\r\n",
    '+' . PASSWORD . "\r\n+" . PASSWORD . "\r\n",
    '$' . strlen(PASSWORD) . "\r\n" . PASSWORD . "\r\n",
    "*2\r\n\$4\r\nAUTH\r\n\$" . strlen(PASSWORD) . "\r\n" . PASSWORD . "\r\n",
    PASSWORD . "\r\n",
];
foreach ($replies as $i => $reply) {
    $wire->heal();
    $wire->answer($reply, 'AUTH');
    try {
        (new RedisLock($wire->dsn(), ['username' => 'alice', 'password' => PASSWORD, 'persistent' => false]))->owner('x');
        echo "NOTHING THROWN\n";
    } catch (RedisLockException $e) {
        has_no_secret("reply $i", shown($e) . $e->redisError . $e->server, PASSWORD, TOKEN);
    }
}
?>
--EXPECT--
wrong password: no secret
unknown user: no secret
unreachable: no secret
no such database: no secret
no password at all where the options have one: no secret
malformed: no secret
malformed in the environment: no secret
unreachable by the environment: no secret
an option of the wrong type: no secret
an unknown option: no secret
a second construction: no secret
a clone: no secret
serialize: no secret
a token of the wrong type: no secret
an object without its constructor: no secret
an error reply: no secret
a section that throws: no secret
tls to a server without: no secret
reply 0: no secret
reply 1: no secret
reply 2: no secret
reply 3: no secret
reply 4: no secret
reply 5: no secret
reply 6: no secret
reply 7: no secret
