--TEST--
The READMEs' PHP code compiles
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/blocks.inc';

foreach (READMES as $readme) {
    $blocks = php_blocks($readme);
    echo $readme, ': ', count($blocks) >= 10 ? 'many' : 'FEW', " blocks\n";
    foreach ($blocks as $block) {
        $file = tempnam(sys_get_temp_dir(), 'redislock-readme');
        file_put_contents($file, as_file($block));
        exec(implode(' ', array_map('escapeshellarg', [...php_command(), '-l', $file])) . ' 2>&1', $output, $status);
        unlink($file);
        if ($status !== 0) {
            echo implode("\n", $output), "\nin:\n$block\n";
        }
    }
}
?>
--EXPECT--
README.md: many blocks
README.zh-CN.md: many blocks
