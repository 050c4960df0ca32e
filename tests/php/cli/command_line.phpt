--TEST--
redislock: help, version, and what is wrong with a command line
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/cli.inc';

/** Runs it without a server and shows what it says. */
function says(string ...$args): void
{
    $run = cli(['--server=redis://127.0.0.1:1', ...$args]);
    echo '$ ', implode(' ', $args), "\n", $run->out, $run->err, "=> $run->status\n";
}

foreach (['--help', '-h', 'help'] as $word) {
    $run = cli([$word]);
    is_so($word, $run->status === 0 && $run->err === '' && str_starts_with($run->out, 'Usage: redislock'));
    $help = $run->out;
}
// Every command, and every option that the program knows, is told.
preg_match_all("/^            '(\w+)' => \\\$this->(?:atEach|watch|doctor|metrics)\(/m", $program = file_get_contents(dirname(__DIR__, 3) . '/bin/redislock'), $commands);
preg_match_all("/'([\w-]+)'/", implode('', preg_grep('/const (FLAGS|VALUES)/', explode("\n", $program))), $options);
foreach ([...$commands[1], ...array_map(fn ($name) => "--$name", $options[1])] as $word) {
    is_so("$word is told", (bool) preg_match('/^\s+.*' . preg_quote($word) . '\b/m', $help));
}
is_so('no line is wider than a terminal of 120', max(array_map('strlen', explode("\n", $help))) <= 120);
is_so('--version', cli(['--version'])->out === 'redislock ' . phpversion('redislock') . "\n");

says();
says('lock');
says('show');
says('show', 'a', 'b');
says('ls', '--bogus');
says('ls', '-x');
says('ls', '--json=1');
says('ls', '--server');
says('watch', '--interval=fast');
says('watch', '--interval=0');
says('watch', '--count=0');
says('watch', '--count=1.5');
says('ls', '--tls=cafile');
says('ls', '--sentinel-tls=1');
says('ls', '--sentinel-password=env:REDISLOCK_TEST_NOT_SET');
says('ls', '--server=redis-sentinel://127.0.0.1:1/m', '--sentinel-tls=perhaps');
says('ls', '--server=redis-sentinel://127.0.0.1:1/m', '--sentinel-username=u');
says('release', 'SKU0001');
says('ls');
?>
--EXPECT--
--help: yes
-h: yes
help: yes
ls is told: yes
show is told: yes
watch is told: yes
release is told: yes
ping is told: yes
doctor is told: yes
metrics is told: yes
--json is told: yes
--force is told: yes
--strict is told: yes
--openmetrics is told: yes
--help is told: yes
--version is told: yes
--server is told: yes
--prefix is told: yes
--tls is told: yes
--sentinel-username is told: yes
--sentinel-password is told: yes
--sentinel-tls is told: yes
--user is told: yes
--uid is told: yes
--interval is told: yes
--count is told: yes
no line is wider than a terminal of 120: yes
--version: yes
$ 
redislock: which command? redislock --help tells
=> 2
$ lock
redislock: there is no command lock: redislock --help
=> 2
$ show
redislock: show needs a NAME
=> 2
$ show a b
redislock: what is b? redislock --help tells
=> 2
$ ls --bogus
redislock: there is no option --bogus
=> 2
$ ls -x
redislock: there is no option -x
=> 2
$ ls --json=1
redislock: --json takes no value
=> 2
$ ls --server
redislock: --server needs a value
=> 2
$ watch --interval=fast
redislock: --interval must be a number, 0.05 or more
=> 2
$ watch --interval=0
redislock: --interval must be a number, 0.05 or more
=> 2
$ watch --count=0
redislock: --count must be a whole number, 1 or more
=> 2
$ watch --count=1.5
redislock: --count must be a whole number, 1 or more
=> 2
$ ls --tls=cafile
redislock: --tls is written NAME=VALUE
=> 2
$ ls --sentinel-tls=1
redislock: --server: the options "sentinel_..." need a server that Sentinel names: redis-sentinel://
=> 2
$ ls --sentinel-password=env:REDISLOCK_TEST_NOT_SET
redislock: env:REDISLOCK_TEST_NOT_SET: the environment variable is not set
=> 2
$ ls --server=redis-sentinel://127.0.0.1:1/m --sentinel-tls=perhaps
redislock: option "sentinel_tls" must be true or false, or a word for it: 1, on, yes or true; 0, off, no or false
=> 2
$ ls --server=redis-sentinel://127.0.0.1:1/m --sentinel-username=u
redislock: --server: the option "sentinel_username" needs "sentinel_password"
=> 2
$ release SKU0001
redislock: this takes the lock from whoever holds it, who may go on as if it had it: say --force
=> 2
$ ls
redislock: redis://127.0.0.1:1/0: Connection refused
=> 3
