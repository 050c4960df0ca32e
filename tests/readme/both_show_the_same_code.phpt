--TEST--
Both READMEs show the same code, but for the comments, and the same keys and commands
--FILE--
<?php
require __DIR__ . '/blocks.inc';

[$english, $chinese] = array_map(
    fn ($readme) => array_map(fn ($block) => without_comments(as_file($block)), php_blocks($readme)),
    READMES,
);
foreach ($english as $i => $code) {
    if (($chinese[$i] ?? null) !== $code) {
        echo "README.md: $code\nREADME.zh-CN.md: ", $chinese[$i] ?? 'nothing', "\n";
    }
}
echo count($english) === count($chinese) ? 'as many' : 'NOT as many', " blocks\n";

foreach (READMES as $readme) {
    preg_match_all('/^ACL SETUSER .*$|^extension=.*$/m', readme($readme), $found[$readme]);
}
echo $found['README.md'] === $found['README.zh-CN.md'] ? 'same' : 'NOT the same', " commands\n";
?>
--EXPECT--
as many blocks
same commands
