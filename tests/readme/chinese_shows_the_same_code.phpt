--TEST--
The Chinese README shows the code, commands and settings of the English pages, but for the comments
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

$english = array_merge(...array_map(fn ($page) => array_map(bare(...), blocks($page)), pages()));
$chinese = array_map(bare(...), blocks(CHINESE));
foreach (array_diff($chinese, $english) as $code) {
    echo "in no English page: $code\n";
}
echo count($chinese) >= 15 ? 'many' : 'FEW', " blocks\n";
?>
--EXPECT--
many blocks
