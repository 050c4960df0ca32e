--TEST--
Both READMEs show the same code, commands and settings, but for the comments
--FILE--
<?php
require __DIR__ . '/blocks.inc';

/** A block without what is for people. */
function bare(array $block): string
{
    [$language, $text] = $block;
    return "$language: " . match ($language) {
        'php' => without_comments(as_file($text)),
        'sh', '' => trim(preg_replace('/ *(^| )#.*$/m', '', $text)),
        'ini' => trim(preg_replace('/ *;.*$/m', '', $text)),
        default => $text,
    };
}

[$english, $chinese] = array_map(fn ($readme) => array_map(bare(...), blocks($readme)), READMES);
foreach ($english as $i => $code) {
    if (($chinese[$i] ?? null) !== $code) {
        echo "README.md: $code\nREADME.zh-CN.md: ", $chinese[$i] ?? 'nothing', "\n";
    }
}
echo count($english) >= 15 ? 'many' : 'FEW', ', and ', count($english) === count($chinese) ? 'as many' : 'NOT as many', " blocks\n";
?>
--EXPECT--
many, and as many blocks
