--TEST--
Slots move back and forth, key by key, under 16 processes and 8 names: never two at once, no call fails, nothing is left behind
--DESCRIPTION--
Takes long.
--CONFLICTS--
load
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('too few sections in the time');
?>
--FILE--
<?php
require __DIR__ . '/load.inc';

$long = (bool) getenv('REDISLOCK_TEST_LONG');
$load = new ClusterLoad('migration', rounds: 1, seconds: $long ? 120.0 : 6.0);
$load->check(excuses: false);
$load->checkCalls();
$load->checkKeys();
foreach (['MOVED', 'ASK', 'TRYAGAIN', 'BLPOP'] as $what) {
    is_between("answered often: $what", $load->redirections[$what], $long ? 101 : 1, PHP_INT_MAX);
}
?>
--EXPECT--
grants: yes
no overlap: yes
fences grow: yes
no call past its deadline: yes
no call failed: yes
no lease was lost: yes
no key in a slot that is elsewhere: yes
no key left: yes
answered often: MOVED: yes
answered often: ASK: yes
answered often: TRYAGAIN: yes
answered often: BLPOP: yes
