--TEST--
The flash sale that docs/flash-sale.md shows in both languages is examples/plain-php/buy.php
--FILE--
<?php
require __DIR__ . '/blocks.inc';

$example = file_get_contents(__DIR__ . '/../../../examples/plain-php/buy.php');
foreach (['docs/flash-sale.md', 'docs/zh-CN/flash-sale.md'] as $readme) {
    $shown = array_values(array_filter(php_blocks($readme), fn ($block) => str_contains($block, 'function buy(')));
    $code = str_replace('declare(strict_types=1);', '', without_comments($example));
    $same = preg_replace('/\s+/', ' ', $code) === without_comments(as_file($shown[0] ?? ''));
    echo "$readme: ", $same ? 'the same' : 'ANOTHER', "\n";
}
echo str_contains($example, rtrim(array_values(array_filter(php_blocks('docs/flash-sale.md'), fn ($block) => str_contains($block, 'function buy(')))[0])) ? 'with its comments' : 'WITH OTHER COMMENTS', "\n";
?>
--EXPECT--
docs/flash-sale.md: the same
docs/zh-CN/flash-sale.md: the same
with its comments
