--TEST--
bin/lib.sh: the build's folder tells two PHPs of one version, and two compilers, apart, without --phpapi, which only Debian's php-config knows
--SKIPIF--
<?php require __DIR__ . '/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/scripts.inc';

// What is unknown to PHP's own php-config brings its usage on standard output, with exit status 1.
$folder = new PrivateFolder();
$php_and_compiler = [
    ['/usr/local/lib/php/extensions/no-debug-zts-20240924', ''],
    ['/home/my php/modules', ''],
    ['/home/your php/modules', ''],
    ['/home/your php/modules', '/usr/bin/clang'],
];
foreach ($php_and_compiler as [$extensions, $compiler]) {
    file_put_contents($config = "$folder->path/php-config", <<<SH
        #!/bin/sh
        case \$1 in
            --version) echo 8.4.24 ;;
            --extension-dir) echo '$extensions' ;;
            *) printf 'Usage: php-config [OPTION]\\nOptions:\\n  --prefix            [/usr/local]\\n'; exit 1 ;;
        esac
        SH);
    chmod($config, 0700);
    says(['bash', '-c', 'set -euo pipefail; . "$1"; build_folder', 'bash', script('lib.sh')], ['PHP_CONFIG' => $config, 'CC' => $compiler], [dirname(script('lib.sh'), 2) => '']);
}
?>
--EXPECT--
/.build/php-8.4.24-usr-local-lib-php-extensions-no-debug-zts-20240924
=> 0
/.build/php-8.4.24-home-my-php-modules
=> 0
/.build/php-8.4.24-home-your-php-modules
=> 0
/.build/php-8.4.24-home-your-php-modules-clang
=> 0
