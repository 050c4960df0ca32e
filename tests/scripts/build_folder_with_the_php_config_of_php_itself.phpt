--TEST--
bin/lib.sh: the build's folder has a name without spaces where php-config is PHP's own, which does not know --phpapi
--SKIPIF--
<?php require __DIR__ . '/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/scripts.inc';

// What Debian adds to it is an unknown option elsewhere: usage on standard output, exit status 1.
$folder = new PrivateFolder();
file_put_contents($config = "$folder->path/php-config", <<<'SH'
    #!/bin/sh
    case $1 in
        --version) echo 8.4.24 ;;
        --extension-dir) echo /usr/local/lib/php/extensions/no-debug-zts-20240924 ;;
        *) printf 'Usage: php-config [OPTION]\nOptions:\n  --prefix            [/usr/local]\n'; exit 1 ;;
    esac
    SH);
chmod($config, 0700);

says(['bash', '-c', 'set -euo pipefail; . "$1"; build_folder', 'bash', script('lib.sh')], ['PHP_CONFIG' => $config], [dirname(script('lib.sh'), 2) => '']);
?>
--EXPECT--
/.build/php-8.4.24-no-debug-zts-20240924
=> 0
