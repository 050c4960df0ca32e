--TEST--
The Chinese pages show the code, commands and settings of the English pages, but for the comments
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
$count = 0;
foreach (chinese_pages() as $page) {
    $chinese = array_map(bare(...), blocks($page));
    foreach (array_diff($chinese, $english) as $code) {
        echo "$page, and in no English page: $code\n";
    }
    $count += count($chinese);
}
echo $count >= 30 ? 'many' : "ONLY $count", " blocks\n";
?>
--EXPECT--
many blocks
