--TEST--
docs/architecture.md names files and functions that are there, and every source
--FILE--
<?php
$root = dirname(__DIR__, 2);
$page = file_get_contents("$root/docs/architecture.md");
exec(escapeshellarg("$root/bin/sources"), $files);
$code = implode('', array_map(fn ($file) => file_get_contents("$root/$file"), $files));

preg_match_all('/`(\w+)\(\)`/', $page, $found);
$functions = array_diff(array_unique($found[1]), ['remember', 'unlock']); // of PHP
foreach ($functions as $function) {
    if (!preg_match("/^\w[^;\n]*\b$function\(/m", $code)) {
        echo "there is no $function()\n";
    }
}
echo count($functions) >= 15 ? 'many' : 'FEW', " functions\n";

preg_match_all('~`((?:src|lua)/[\w/]+\.\w+|\w+\.c)`~', $page, $found);
foreach (array_unique($found[1]) as $file) {
    if (!is_file("$root/$file")) {
        echo "there is no $file\n";
    }
}
echo count($found[1]) >= 15 ? 'many' : 'FEW', " files\n";

preg_match_all('/^\| `(src\/\w+)\/` \| (.*) \|$/m', $page, $rooms, PREG_SET_ORDER);
foreach ($files as $file) {
    foreach ($rooms as [, $room, $what]) {
        if (dirname($file) === $room && str_ends_with($file, '.c') && !str_contains($what, '`' . basename($file, '.c') . '`')) {
            echo "$room says nothing of ", basename($file), "\n";
        }
    }
}
echo count($rooms), " rooms\n";
?>
--EXPECT--
many functions
many files
6 rooms
