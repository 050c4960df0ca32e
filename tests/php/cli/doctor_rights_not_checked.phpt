--TEST--
redislock doctor: rights that the server does not tell are "not checked", never well; UNKNOWN if they were asked for
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_before_redis(7);
?>
--FILE--
<?php
require __DIR__ . '/doctor.inc';

$server = RedisServer::start([...HEALTHY, 'user half on >secret ~* &* +@all -acl']);
$dsn = $server->address('half:secret');
$said = diagnose('whoever asks may not', $dsn);
is_so('the first line says so', str_contains($said['summary'], '; not checked: rights |'), $said['summary']);
is_so('and no other that they are well', !preg_match('/^ok:.* rights/m', $out = cli(['--server=env:LOCKS', 'doctor'], ['LOCKS' => $dsn])->out), $out);
is_so('strictly, it is not well', cli(['--server=env:LOCKS', 'doctor', '--strict'], ['LOCKS' => $dsn])->status !== 0);
diagnose('of a user', $dsn, '--user=default');

$server = RedisServer::start([...HEALTHY, 'rename-command ACL ""']);
diagnose('a server without it', $server->dsn());

// A command that is not there is nothing that a user may not do.
$server = RedisServer::start([...HEALTHY, 'rename-command WAIT ""']);
diagnose('a server without a command', $server->dsn());
?>
--EXPECT--
whoever asks may not => 0
  the status is that of the exit: yes
  not checked, rights: the rights of half were not checked: whoever asks needs +acl|dryrun; log in as a user that has it, and say --user=half
the first line says so: yes
and no other that they are well: yes
strictly, it is not well: yes
of a user => 3
  the status is that of the exit: yes
  unknown, rights: the rights of default were not checked: whoever asks needs +acl|dryrun; log in as a user that has it, and say --user=default
  not checked, rights: ACL GETUSER is refused: whether default is switched off is not known; allow it
a server without it => 0
  the status is that of the exit: yes
  not checked, rights: the rights of default were not checked: this server has no ACL DRYRUN (Redis has it from 7.0 on, some services lack it); compare them with docs/operations.md
a server without a command => 0
  the status is that of the exit: yes
  not checked, rights: whether default may run wait was not checked: the server has no such commands, or others by these names
