<?php
/** Names the links in these pages that lead to no file, or to no heading. */
/** As GitHub makes an anchor of a heading. */
function anchor(string $heading): string
{
    $text = preg_replace(["/\[([^\]]*)\]\([^)]*\)/", "/[`*]/"], ["$1", ""], $heading);
    return str_replace(" ", "-", preg_replace("/[^\p{L}\p{N}_\- ]/u", "", function_exists("mb_strtolower") ? mb_strtolower($text) : strtolower($text)));
}

function without_code(string $page): string
{
    return preg_replace("/^(> ?|  )?```.*?^(> ?|  )?```$/ms", "", file_get_contents($page));
}

$bad = 0;
foreach (array_slice($argv, 1) as $page) {
    preg_match_all("/\]\(([^)\s]+)\)/", without_code($page), $links);
    foreach ($links[1] as $link) {
        if (preg_match("~^(https?|mailto):~", $link)) {
            continue;
        }
        [$file, $anchor] = [...explode("#", $link, 2), null];
        $file = $file === "" ? $page : dirname($page) . "/$file";
        $there = file_exists($file);
        if ($there && $anchor !== null) {
            preg_match_all("/^#+ (.*)$/m", without_code($file), $headings);
            $there = in_array($anchor, array_map("anchor", $headings[1]), true);
        }
        if (!$there) {
            echo "$page: $link\n";
            $bad = 1;
        }
    }
}
exit($bad);
