--TEST--
bin/lib.sh: what a PHP lacks that no package manager installed is named; nothing is installed
--SKIPIF--
<?php require __DIR__ . '/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/scripts.inc';

$folder = new PrivateFolder();
mkdir("$folder->path/bin");
file_put_contents($php = "$folder->path/bin/php", "#!/bin/sh\nexec " . PHP_BINARY . " \"\$@\"\n");
file_put_contents($config = "$folder->path/bin/php-config", "#!/bin/sh\n");
// Would it be called, it would be seen.
file_put_contents($apt = "$folder->path/bin/apt-get", "#!/bin/sh\necho apt-get >&2\nexit 1\n");
chmod($php, 0700);
chmod($config, 0700);
chmod($apt, 0700);

says(['bash', '-c', 'set -euo pipefail; . "$1"; need php phpize ext-none fpm', 'bash', script('lib.sh')],
    ['PHP_CONFIG' => $config, 'REDISLOCK_TEST_FPM' => '/nonexistent', 'PATH' => "$folder->path/bin:" . getenv('PATH')],
    ["$folder->path/bin/" => '…/']);
?>
--EXPECT--
error: …/php came with no package, and lacks: …/phpize ext-none fpm. CONTRIBUTING.md says how such a PHP is configured
=> 1
