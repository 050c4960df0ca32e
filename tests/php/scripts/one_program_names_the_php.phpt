--TEST--
bin/lib.sh: php and phpize are found from php-config, by the names that distributions and PHP's configure give them
--DESCRIPTION--
Takes long.
--SKIPIF--
<?php require __DIR__ . '/skipif.inc'; ?>
--FILE--
<?php
require __DIR__ . '/scripts.inc';

// A PHP whose php-config knows the place of php, as it does after `make install`, or another place, or none.
$folder = new PrivateFolder();
function layout(string $php, string $config, string $phpize, string $tells): void
{
    global $folder;
    $programs = [
        $php => 'exec ' . PHP_BINARY . ' "$@"',
        $phpize => 'echo phpize',
        $config => <<<SH
            case \$1 in
                --php-binary) echo $tells ;;
                *) exit 1 ;;
            esac
            SH,
    ];
    foreach ($programs as $name => $script) {
        file_put_contents("$folder->path/$name", "#!/bin/sh\n$script\n");
        chmod("$folder->path/$name", 0700);
    }
}

function finds(string $config): void
{
    global $folder;
    echo '"', str_replace("$folder->path/", '…/', $config), '": ';
    says(['bash', '-c', 'set -euo pipefail; . "$1"; echo "$php $php_config $phpize"', 'bash', script('lib.sh')], ['PHP_CONFIG' => $config, 'PATH' => "$folder->path:" . getenv('PATH')], ["$folder->path/" => '…/']);
}

foreach ([['php', 'php-config', 'phpize'], ['php8.4', 'php-config8.4', 'phpize8.4'], ['php84', 'php-config84', 'phpize84'], ['zts-php', 'zts-php-config', 'zts-phpize']] as [$php, $config, $phpize]) {
    layout($php, $config, $phpize, "$folder->path/$php");
    finds("$folder->path/$config");
    finds($config);
}

echo "-- moved, or without a command line\n";
layout('php', 'php-config', 'phpize', '/was/built/for/bin/php');
finds("$folder->path/php-config");
layout('php', 'php-config', 'phpize', 'NONE');
finds("$folder->path/php-config");

echo "-- the one in the path\n";
layout('php', 'php-config', 'phpize', "$folder->path/php");
finds('');

echo "-- none\n";
finds('/nonexistent/php-config');
?>
--EXPECT--
"…/php-config": …/php …/php-config …/phpize
=> 0
"php-config": …/php php-config phpize
=> 0
"…/php-config8.4": …/php8.4 …/php-config8.4 …/phpize8.4
=> 0
"php-config8.4": …/php8.4 php-config8.4 phpize8.4
=> 0
"…/php-config84": …/php84 …/php-config84 …/phpize84
=> 0
"php-config84": …/php84 php-config84 phpize84
=> 0
"…/zts-php-config": …/zts-php …/zts-php-config …/zts-phpize
=> 0
"zts-php-config": …/zts-php zts-php-config zts-phpize
=> 0
-- moved, or without a command line
"…/php-config": …/php …/php-config …/phpize
=> 0
"…/php-config": …/php …/php-config …/phpize
=> 0
-- the one in the path
"": …/php php-config phpize
=> 0
-- none
"/nonexistent/php-config": error: PHP_CONFIG is /nonexistent/php-config: there is no such program
=> 1
