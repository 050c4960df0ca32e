--TEST--
The options sentinel_username, sentinel_password and sentinel_tls: which values they take, and when they are refused
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/check.inc';

const SENTINEL = 'redis-sentinel://127.0.0.1:1/mymaster';

/** What becomes of the construction. A build without TLS refuses what turns it on. */
function construct(array $options, string|array $servers = SENTINEL, string $class = 'RedisLock'): void
{
    echo json_encode($options), ': ';
    try {
        new $class($servers, $options);
        echo "taken\n";
    } catch (ValueError | TypeError $e) {
        $text = preg_replace('/^\w+::__construct\(\): Argument #\d \(\$\w+\) /', '', $e->getMessage());
        $lacks = str_contains($text, 'needs a build with TLS') || str_contains($text, 'this build has no TLS');
        echo $lacks ? 'taken' : get_class($e) . ": $text", "\n";
    }
}

echo "taken\n";
construct(['sentinel_password' => 's']);
construct(['sentinel_username' => 'u', 'sentinel_password' => 's']);
construct(['sentinel_password' => "any\0bytes"]);
foreach ([true, false, 1, 0, 'on', 'No'] as $tls) {
    construct(['sentinel_tls' => $tls]);
}
construct(['sentinel_tls' => false], 'rediss-sentinel://127.0.0.1:1/mymaster');
construct(['sentinel_tls' => true, 'tls' => ['verify_peer' => false]]);
construct(['sentinel_password' => 's'], class: 'RedisQueue');

echo "as if they were not there, as an .env file gives them\n";
$none = ['sentinel_username' => '', 'sentinel_password' => '', 'sentinel_tls' => ''];
construct($none);
construct(array_fill_keys(array_keys($none), null));
construct($none, 'redis://127.0.0.1:1');
construct(array_fill_keys(array_keys($none), null), ['redis://127.0.0.1:1', 'redis://127.0.0.1:2']);

echo "of the wrong type, or out of range\n";
construct(['sentinel_username' => 5, 'sentinel_password' => 's']);
construct(['sentinel_username' => "a\0b", 'sentinel_password' => 's']);
construct(['sentinel_password' => 12345678]);
construct(['sentinel_password' => []]);
construct(['sentinel_tls' => []]);
construct(['sentinel_tls' => 'perhaps']);
construct(['sentinel_tls' => 2]);
construct(['sentinel_user' => 'u']);

echo "that do not go together\n";
construct(['sentinel_username' => 'u']);
construct(['sentinel_username' => 'u', 'sentinel_password' => '']);
construct(['tls' => ['verify_peer' => false]]);
construct(['tls' => ['verify_peer' => false], 'sentinel_tls' => false]);
foreach ([['sentinel_password' => 's'], ['sentinel_username' => 'u'], ['sentinel_tls' => false]] as $options) {
    construct($options, 'redis://127.0.0.1:1');
    construct($options, [PHP_OS_FAMILY === 'Windows' ? 'redis://127.0.0.1:3' : 'unix:///nonexistent', 'redis://127.0.0.1:1']);
}

// Of a server that is looked up later, the call says so.
putenv('REDISLOCK_TEST_PLAIN=redis://127.0.0.1:1');
putenv('REDISLOCK_TEST_SENTINEL=' . SENTINEL);
thrown(fn () => (new RedisLock('env:REDISLOCK_TEST_PLAIN', ['sentinel_password' => 's']))->lock('x'));
$e = thrown(fn () => (new RedisLock('env:REDISLOCK_TEST_SENTINEL', ['sentinel_password' => 's3cret', 'connect_timeout' => 0.2]))->lock('x'));
has_no_secret('exception', shown($e), 's3cret');
?>
--EXPECT--
taken
{"sentinel_password":"s"}: taken
{"sentinel_username":"u","sentinel_password":"s"}: taken
{"sentinel_password":"any\u0000bytes"}: taken
{"sentinel_tls":true}: taken
{"sentinel_tls":false}: taken
{"sentinel_tls":1}: taken
{"sentinel_tls":0}: taken
{"sentinel_tls":"on"}: taken
{"sentinel_tls":"No"}: taken
{"sentinel_tls":false}: taken
{"sentinel_tls":true,"tls":{"verify_peer":false}}: taken
{"sentinel_password":"s"}: taken
as if they were not there, as an .env file gives them
{"sentinel_username":"","sentinel_password":"","sentinel_tls":""}: taken
{"sentinel_username":null,"sentinel_password":null,"sentinel_tls":null}: taken
{"sentinel_username":"","sentinel_password":"","sentinel_tls":""}: taken
{"sentinel_username":null,"sentinel_password":null,"sentinel_tls":null}: taken
of the wrong type, or out of range
{"sentinel_username":5,"sentinel_password":"s"}: TypeError: option "sentinel_username" must be of type string, int given
{"sentinel_username":"a\u0000b","sentinel_password":"s"}: ValueError: option "sentinel_username" must be a name without null bytes
{"sentinel_password":12345678}: TypeError: option "sentinel_password" must be of type string, int given
{"sentinel_password":[]}: TypeError: option "sentinel_password" must be of type string, array given
{"sentinel_tls":[]}: TypeError: option "sentinel_tls" must be of type bool, array given
{"sentinel_tls":"perhaps"}: ValueError: option "sentinel_tls" must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false
{"sentinel_tls":2}: ValueError: option "sentinel_tls" must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false
{"sentinel_user":"u"}: ValueError: option "sentinel_user" is unknown
that do not go together
{"sentinel_username":"u"}: ValueError: must be a server: the option "sentinel_username" needs "sentinel_password"
{"sentinel_username":"u","sentinel_password":""}: ValueError: must be a server: the option "sentinel_username" needs "sentinel_password"
{"tls":{"verify_peer":false}}: ValueError: must be a server: the option "tls" needs a server with TLS: rediss-sentinel://
{"tls":{"verify_peer":false},"sentinel_tls":false}: ValueError: must be a server: the option "tls" needs a server with TLS: rediss-sentinel://
{"sentinel_password":"s"}: ValueError: must be a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
{"sentinel_password":"s"}: ValueError: must be a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
{"sentinel_username":"u"}: ValueError: must be a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
{"sentinel_username":"u"}: ValueError: must be a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
{"sentinel_tls":false}: ValueError: must be a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
{"sentinel_tls":false}: ValueError: must be a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
RedisLockConnectionException: env:REDISLOCK_TEST_PLAIN: the environment variable must hold a server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel:// (lock "x")
RedisLockConnectionException: redis-sentinel://127.0.0.1:1/mymaster/0: no sentinel could be asked; 127.0.0.1:1: Connection refused (lock "x")
exception: no secret
