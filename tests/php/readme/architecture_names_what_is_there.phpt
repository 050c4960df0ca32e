--TEST--
docs/architecture.md and the pages beside the code name files and functions that are there, and every source
--FILE--
<?php
$root = dirname(__DIR__, 3);
$pages = ['docs/architecture.md', 'docs/design.md', 'src/lock/README.md', 'src/redis/README.md'];
exec(escapeshellarg("$root/bin/sources"), $files);
$code = implode('', array_map(fn ($file) => file_get_contents("$root/$file"), $files));

$texts = [];
foreach ($pages as $name) {
    $page = $texts[$name] = file_get_contents("$root/$name");

    preg_match_all('/`(\w+)\(\)`/', $page, $found);
    $functions = array_diff(array_unique($found[1]), ['remember', 'unlock', 'lock', 'sleep', 'poll']); // of PHP, and of the system
    foreach ($functions as $function) {
        if (!preg_match("/^(?:#define |\w)[^;\n]*\b$function\(/m", $code)) {
            echo "$name: there is no $function()\n";
        }
    }

    preg_match_all('~`((?:src|lua)/[\w/]+\.\w+|\w+\.c)`~', $page, $named);
    foreach (array_unique($named[1]) as $file) {
        if (!is_file("$root/$file")) {
            echo "$name: there is no $file\n";
        }
    }
    echo "$name: ", count($functions) >= 5 ? 'many' : 'few', ' functions, ', count($named[1]) >= 15 ? 'many' : 'few', " files\n";
}

// Of a room with a page, the page names the files.
preg_match_all('/^\| `(src\/\w+)\/` \| (.*) \|$/m', $texts['docs/architecture.md'], $rooms, PREG_SET_ORDER);
foreach ($files as $file) {
    foreach ($rooms as [, $room, $what]) {
        $what = $texts["$room/README.md"] ?? $what;
        if (dirname($file) === $room && str_ends_with($file, '.c') && !str_contains($what, '`' . basename($file, '.c') . '`')) {
            echo "$room says nothing of ", basename($file), "\n";
        }
    }
}
echo count($rooms), " rooms\n";

// The invariants that the code cites, as in "(L4)", are there.
preg_match_all('/\(([LR]\d+)\)/', $code, $cited);
preg_match_all('/^- \*\*([LR]\d+)\*\* /m', implode($texts), $numbered);
echo count($numbered[1]) === count(array_unique($numbered[1])) ? 'each number once' : 'A NUMBER TWICE', "\n";
echo count($cited[1]) >= 5 ? 'many' : 'FEW', ' cited ', implode(' ', array_diff($cited[1], $numbered[1]));
?>
--EXPECT--
docs/architecture.md: many functions, many files
docs/design.md: few functions, few files
src/lock/README.md: many functions, few files
src/redis/README.md: many functions, few files
7 rooms
each number once
many cited 
