--TEST--
The Chinese pages have the sections and the rows of tables of the English pages, and name what those name as code
--FILE--
<?php
require __DIR__ . '/blocks.inc';

/** Words that a reader is to replace, and what stands for them. */
const TRANSLATED = ['connection name' => '连接名'];

/** @return array{string, string[], string[][]} of each section: its heading, what it names as code, and the rows of its tables */
function sections(string $page): array
{
    $text = preg_replace('/^(> ?|  )?```.*?^(> ?|  )?```$/ms', '', readme($page));
    return array_map(function ($section) {
        preg_match_all('/^\|(.*)\|$/m', $section, $found);
        $rows = array_map(fn ($row) => preg_split('/(?<!\\\\)\|/', $row), $found[1]);
        return [strtok($section, "\n"), code_in($section), $rows];
    }, preg_split('/^(?=#+ )/m', $text));
}

/** @return string[] what is between backticks */
function code_in(string $text): array
{
    preg_match_all('/`([^`]+)`/', $text, $found);
    return array_values(array_unique($found[1]));
}

/** Complains of what the English names and the Chinese does not. */
function compare(string $where, array $english, array $chinese): void
{
    $missing = array_diff(array_map(fn ($code) => strtr($code, TRANSLATED), $english), $chinese);
    if ($missing) {
        echo "$where: says nothing of ", implode(', ', $missing), "\n";
    }
}

$rows = 0;
foreach (chinese_pages() as $page) {
    $english = sections($page === 'README.zh-CN.md' ? 'README.md' : str_replace('zh-CN/', '', $page));
    $chinese = sections($page);
    if (count($english) !== count($chinese)) {
        echo "$page has ", count($chinese), ' sections instead of ', count($english), "\n";
        continue;
    }
    foreach ($english as $i => [$heading, $code, $table]) {
        [$title, $names, $translated] = $chinese[$i];
        compare("$page, $title", $code, $names);
        if (array_map(count(...), $table) !== array_map(count(...), $translated)) {
            echo "$page, $title: has other rows or columns than the tables of $heading\n";
            continue;
        }
        foreach ($table as $j => $row) {
            compare("$page, $title, the row{$translated[$j][0]}", code_in(implode('|', $row)), code_in(implode('|', $translated[$j])));
            $rows++;
        }
    }
}
echo $rows >= 150 ? 'many' : "ONLY $rows", " rows\n";
?>
--EXPECT--
many rows
