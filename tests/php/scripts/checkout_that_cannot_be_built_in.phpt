--TEST--
bin/demo and bin/test: a checkout that is not to be written to, or has a space in its path, is told what to do
--DESCRIPTION--
Takes long.
--SKIPIF--
<?php require __DIR__ . '/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/scripts.inc';

$folder = new PrivateFolder();
foreach (['read-only', 'white space'] as $name) {
    $checkout = "$folder->path/$name";
    mkdir("$checkout/bin", recursive: true);
    mkdir("$checkout/tests/php", recursive: true);
    foreach (['demo', 'test', 'lib.sh'] as $file) {
        copy(script($file), "$checkout/bin/$file");
    }
    touch("$checkout/tests/php/a.phpt");
    // What root can write to all the same: this is as good as a folder without rights.
    $name === 'white space' || touch("$checkout/.build");
    foreach (['demo', 'test'] as $file) {
        says(['bash', "$checkout/bin/$file"], [], [$folder->path => '']);
    }
}
?>
--EXPECT--
error: /read-only/.build, where the extension is built, cannot be written to: copy the checkout to a folder of yours, and run it there
=> 1
error: /read-only/.build, where the extension is built, cannot be written to: copy the checkout to a folder of yours, and run it there
=> 1
error: phpize cannot build in "/white space", since that path has a space in it: move the checkout to one that has none
=> 1
error: phpize cannot build in "/white space", since that path has a space in it: move the checkout to one that has none
=> 1
