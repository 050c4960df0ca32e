--TEST--
The PHP code of the documents compiles
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/blocks.inc';

$compiled = 0;
foreach ([...pages(), ...chinese_pages()] as $page) {
    foreach (php_blocks($page) as $block) {
        $compiled++;
        $file = tempnam(sys_get_temp_dir(), 'redislock-readme');
        file_put_contents($file, as_file($block));
        exec(implode(' ', array_map('escapeshellarg', [...php_command(), '-l', $file])) . ' 2>&1', $output, $status);
        unlink($file);
        if ($status !== 0) {
            echo "$page: ", implode("\n", $output), "\nin:\n$block\n";
        }
        unset($output);
    }
}
echo $compiled >= 60 ? 'many' : "ONLY $compiled", " blocks\n";
?>
--EXPECT--
many blocks
