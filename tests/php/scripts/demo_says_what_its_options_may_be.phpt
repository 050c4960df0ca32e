--TEST--
bin/demo: an option that makes no sense is refused before anything is built, and told what it may be
--DESCRIPTION--
Takes long.
--SKIPIF--
<?php require __DIR__ . '/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/scripts.inc';

foreach (['--buyers=1x', '--buyers=', '--buyers=0', '--stock=-1', '--stock=1000001', '--processes=1500', '--processes=99999999999999999999'] as $option) {
    says(['bash', script('demo'), $option]);
}
is_so('an unknown one gets the usage', str_contains(run_to_end(['bash', script('demo'), '--bayers=1'], together: true)->out, '--buyers=2000'));
?>
--EXPECT--
error: --buyers must be a whole number from 1 to 1000000, not "1x"
=> 2
error: --buyers must be a whole number from 1 to 1000000, not ""
=> 2
error: --buyers must be a whole number from 1 to 1000000, not "0"
=> 2
error: --stock must be a whole number from 1 to 1000000, not "-1"
=> 2
error: --stock must be a whole number from 1 to 1000000, not "1000001"
=> 2
error: --processes must be a whole number from 1 to 500, not "1500"
=> 2
error: --processes must be a whole number from 1 to 500, not "99999999999999999999"
=> 2
an unknown one gets the usage: yes
