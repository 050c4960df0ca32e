--TEST--
What PHP says when it does not load the module is what docs/troubleshooting.md has as headings
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
if (!is_file(Fpm::extension())) {
    die('skip needs the module by its path');
}
?>
--FILE--
<?php
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/../fpm/fastcgi.inc';
require __DIR__ . '/blocks.inc';

/** What a PHP says that loads these files. */
function said(string ...$modules): string
{
    $options = array_merge(...array_map(fn ($module) => ['-d', "extension=$module"], $modules));
    return run_to_end([PHP_BINARY, '-n', '-d', 'display_startup_errors=1', '-d', 'display_errors=1', '-d', 'html_errors=0', ...$options, '-r', ''], together: true)->out;
}

/** A copy of the module with other bytes in some place. */
function altered(PrivateFolder $folder, string $from, string $to): string
{
    $module = file_get_contents(Fpm::extension());
    is_so('it has these bytes', strlen($from) === strlen($to) && str_contains($module, $from));
    file_put_contents("$folder->path/redislock.so", str_replace($from, $to, $module));
    return "$folder->path/redislock.so";
}

/** Whether a heading of the page says this, with … for anything. */
function is_told(string $said): void
{
    $said = preg_replace('/\s+/', ' ', $said);
    preg_match_all('/^### (.*)$/m', strstr(readme('docs/troubleshooting.md'), '## It does not load'), $headings);
    $told = array_filter($headings[1], fn ($heading) => preg_match('~' . str_replace('…', '.*', preg_quote($heading, '~')) . '~', $said));
    is_so('it is told, once', count($told) === 1, [$said, $told]);
}

$folder = new PrivateFolder();
preg_match('/^PHP Extension Build => (API\S+)/m', (string) shell_exec(escapeshellarg(PHP_BINARY) . ' -n -i'), $found);
$build = $found[1];
$number = (int) substr($build, 3);
is_told(said(Fpm::extension(), Fpm::extension()));
is_told(said(altered($folder, "$build\0", substr($build, 0, -1) . "X\0")));
// What a module entry begins with: its size, and the number.
$begin = fn (int $number) => pack('vx2V', 168, $number);
is_told(said(altered($folder, $begin($number), $begin($number + 1))));
?>
--EXPECT--
it is told, once: yes
it has these bytes: yes
it is told, once: yes
it has these bytes: yes
it is told, once: yes
