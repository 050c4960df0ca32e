--TEST--
The documented rights are those of the requests and of the scripts: no command is missing, none is too many
--FILE--
<?php
require __DIR__ . '/../inc/minimal_rights.inc';

$files = [...glob(__DIR__ . '/../../../lua/*.lua'), ...glob(__DIR__ . '/../../../lua/inc/*.lua')];
foreach (['locks' => false, 'queues' => true] as $what => $of_queue) {
    $rights = minimal_rights($of_queue);
    $listed = preg_filter('/^\+/', '', $rights);
    $called = ['evalsha', 'eval', 'blpop', 'client|setname', 'asking', 'cluster|slots', 'role', 'select', ...($of_queue ? [] : ['wait'])];
    foreach (preg_grep('~/(queue_|task_)\w+\.lua$~', $files, $of_queue ? 0 : PREG_GREP_INVERT) as $file) {
        preg_match_all("/\b(?:redis\.p?call|try|call)\(\s*'([A-Z]+)'/", file_get_contents($file), $found);
        array_push($called, ...array_map('strtolower', $found[1]));
    }
    $called = array_unique($called);
    echo $what, ': ', count($called) > 15 ? 'there are some' : 'WHERE ARE THE SCRIPTS?', "\n";
    echo '  missing: ', implode(' ', array_diff($called, $listed)), "\n";
    echo '  too many: ', implode(' ', array_diff($listed, $called)), "\n";
    echo '  the rest: ', implode(' ', preg_grep('/^\+/', $rights, PREG_GREP_INVERT)), "\n";
}
?>
--EXPECT--
locks: there are some
  missing: 
  too many: 
  the rest: resetchannels -@all ~lock:* ~{lock:*
queues: there are some
  missing: 
  too many: 
  the rest: resetchannels -@all ~queue:* ~{queue:*
