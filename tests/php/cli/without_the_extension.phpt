--TEST--
redislock says what it lacks where the extension is not loaded
--FILE--
<?php
require __DIR__ . '/cli.inc';

$bare = [PHP_BINARY, '-n'];
is_so('there is help', str_starts_with(cli(['--help'], php: $bare)->out, 'Usage:'));
$run = cli(['ls'], php: $bare);
echo $run->out, str_replace(PHP_BINARY, 'php', $run->err), "=> $run->status\n";
?>
--EXPECT--
there is help: yes
redislock: the extension redislock is not loaded into php (no php.ini): extension=redislock
=> 3
