--TEST--
examples/plain-php: every piece is sold once
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'pdo_sqlite');
?>
--FILE--
<?php
require __DIR__ . '/run.inc';
run_example('plain-php/sale.php', 'sold: 20\n(busy: \d+\n|sold out: \d+\n)+20 orders for 20 pieces, 0 in stock\n');
?>
--EXPECT--
done
