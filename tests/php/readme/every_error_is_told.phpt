--TEST--
docs/troubleshooting.md has a heading, and so an anchor, for every text of an exception
--FILE--
<?php
/*
 * Each text in the sources that may become a message must stand there. A text that never reaches a user, or that
 * explains itself as the complaint about an argument, is excused below.
 */
const EXCUSED = [
    '/^(must|have|between|more than 0|write|leave it out|be|end in|0 or a positive number|on, off or|whole number)\b/', // of a bad argument
    '/^option /',
    '/^the (user name|password|path of the socket|scheme|port|host|database|name of the master) /', // of a bad DSN
    '/^(a unix socket needs|an IPv6 address|a server is written|the only parameter|a user needs a password)/',
    '/^the options? "(tls|sentinel_\w*)/',
    '/^(one that Sentinel names|a cluster) must/',
    '/^this build has no TLS: install/',
    '/^a server without a password/',
    '/^(the same (server|sentinel|node) is named twice|there may be) ?/',
    '/is already constructed$/', '/^is needed here/',
    '/^without end$/', // of a lease
    '/^: /', '/^no sentinel could be asked; .*: (that of|it is) /', // advice behind another text
    '/^the (lock|locks|new lease)$/', // the subjects of a longer text
    '/^no random bytes$/', // the process ends with it
    '/^a token fits into the segment$/', // for the compiler
    '/^(Since the process started|redislock support|hiredis \(|Local turns$)/', // of phpinfo()
    '/^(more than %d processes pass|the segment of shared memory holds something|the processes of the segment are|this processor cannot exchange|shared memory is only known)/', // why there are no local turns, in phpinfo(): a table in docs/local.md
    '/^(ERR|ACL failure|NOAUTH|can\'t) /', '/^max number of clients$/', '/^WAIT cannot be used with$/', '/^can\'t access/', '/^, with args/', '/^Script attempted to/', '/^the cluster is down$/', '/^ script: /', '/^cluster support disabled$/', '/^keys were accessed during rehashing/', '/^has Lua scripting support disabled$/', '/^un(known|supported) command$/', // what Redis says
    '/^bad lua script for redis cluster$/', '/^keys must (be )?in same slot$/', // what proxies say
    '/^the server cannot renew leases at present$/', // of the renewing thread, whose errors are counted
    '/^(the path is too long|it cannot be (looked at|mapped|opened|read)|it is no file|it has |it belongs to the user |its mode is |no space)/', '/^the segment of shared memory does not hold/', '/^this processor cannot add 64-bit numbers/', '/^redislock\.metrics is off$/', '/^redislock: slow: /', '/^was (acquired after|not acquired within|held for)$/', '/^; % ?$|slow ones before it were not logged$/', // why the metrics are not added up: a table there
    '/^The lock \{name\} was /', // of a logger
    '/^not sent, since the time was over$/', // of releases at the end of a request, where nobody is warned
    '/^rl:/', '/^redis[s%,]/', '/^%/', '/^TLS: %s/',
];

$root = dirname(__DIR__, 3);
preg_match_all('/^### (.*)$/m', file_get_contents("$root/docs/troubleshooting.md"), $found);
$told = array_map('anchor', $found[1]);

/** What of a text counts: its words, without what is filled in. */
function anchor(string $text): string
{
    $text = preg_replace('/^TLS: /', '', str_replace(['%s', '%d', '%ld', '%zu', '%.1f', '%.80s', '%.100s', '%.160s', '…'], ' ', $text));
    return trim(preg_replace('/\W+/', ' ', $text));
}

$texts = [];
exec(escapeshellarg("$root/bin/sources") . ' core glue', $files);
foreach (array_diff($files, ['src/redis/scripts.c']) as $file) {
    $code = preg_replace(['~/\*.*?\*/~s', '~^\s*#.*(\\\\\n.*)*$~m', '/"\s*"(?=[^,;)]*")/'], '', file_get_contents("$root/$file"));
    // Complaints about arguments and INI settings.
    $code = preg_replace('/\b(zend_argument_\w+|OPTION_ERROR|refuse_ini|zend_throw_error|wrong_type)\([^;]*;/', '', $code);
    preg_match_all('/"((?:[^"\\\\\n]|\\\\.)*)"/', $code, $found);
    foreach ($found[1] as $text) {
        $text = stripcslashes($text);
        if (preg_match('/[a-z]+ [a-z(]/', $text) && !array_filter(EXCUSED, fn ($excuse) => preg_match($excuse, $text))) {
            $texts[$text] = $file;
        }
    }
}
echo count($texts) >= 30 ? 'many' : 'FEW', " texts\n";
foreach ($texts as $text => $file) {
    if (!in_array(anchor($text), $told, true)) {
        echo "$file: $text\n";
    }
}
?>
--EXPECT--
many texts
