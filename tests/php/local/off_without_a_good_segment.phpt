--TEST--
Without a segment as it should be workers wait in the line of Redis, silently, and phpinfo() says why
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/local.inc';

$server = RedisServer::start();
$small = ['sh', '-c', "trap '' 25; ulimit -f 64; exec \"\$@\"", 'sh'];
$cases = [
    'as it should be' => fn (Machine $machine) => null,
    'no folder' => fn (Machine $machine) => rmdir($machine->folder),
    'a mode that others may read by' => fn (Machine $machine) => touch($machine->segment()) && chmod($machine->segment(), 0644),
    'a link' => fn (Machine $machine) => symlink("$machine->folder/elsewhere", $machine->segment()),
    'a second name' => fn (Machine $machine) => touch($machine->segment()) && chmod($machine->segment(), 0600) && link($machine->segment(), "$machine->folder/second"),
    'a folder' => fn (Machine $machine) => mkdir($machine->segment()),
    'something else in it' => fn (Machine $machine) => file_put_contents($machine->segment(), str_repeat('something', 200000)) && chmod($machine->segment(), 0600),
    'no space' => fn (Machine $machine) => null,
];
foreach ($cases as $label => $prepare) {
    $machine = new Machine($server->dsn());
    $prepare($machine);
    $workers = $label === 'no space' ? Remote::startMany(2, $server->dsn(), ['local' => true], '', $machine->php(), $small) : $machine->workers(2);
    if ($label === 'as it should be') {
        $machine->warmUp($workers);
        echo passed_on($workers), ' ', local_turns($workers[0]), "\n";
        continue;
    }
    check_off($label, $machine, $workers);
    $label !== 'a link' || is_so('nothing is made where it leads', !file_exists("$machine->folder/elsewhere"));
}
print_r(all_keys($server->client()));
?>
--EXPECT--
1 possible
no folder: [true,true,true], none was passed on
    /redislock.local.v2.0: it cannot be opened: No such file or directory
a mode that others may read by: [true,true,true], none was passed on
    /redislock.local.v2.0: its mode is 0644, not 0600
a link: [true,true,true], none was passed on
    /redislock.local.v2.0: it cannot be opened: Too many levels of symbolic links
nothing is made where it leads: yes
a second name: [true,true,true], none was passed on
    /redislock.local.v2.0: it has 2 names
a folder: [true,true,true], none was passed on
    /redislock.local.v2.0: it cannot be opened: Is a directory
something else in it: [true,true,true], none was passed on
    the segment of shared memory holds something else
no space: [true,true,true], none was passed on
    /redislock.local.v2.0: no space: File too large
Array
(
)
