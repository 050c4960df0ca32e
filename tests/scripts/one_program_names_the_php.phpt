--TEST--
bin/lib.sh: php, php-config and phpize are found from one of them, by the names that distributions and PHP's configure give them
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
    $version = PHP_VERSION;
    $extensions = PHP_EXTENSION_DIR;
    $headers = PHP_ZTS ? "printf '#define ZTS 1\\n' >$folder->path/main/php_config.h" : ':';
    @mkdir("$folder->path/main");
    $programs = [
        $php => 'exec ' . PHP_BINARY . ' "$@"',
        $phpize => 'echo phpize',
        $config => <<<SH
            case \$1 in
                --version) echo $version ;;
                --extension-dir) echo $extensions ;;
                --include-dir) $headers; echo $folder->path ;;
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

function finds(array $env): void
{
    global $folder;
    echo key($env), '=', str_replace("$folder->path/", '…/', current($env)), ': ';
    $none = ['PHP' => '', 'PHP_CONFIG' => '', 'PHPIZE' => '', 'PATH' => "$folder->path:" . getenv('PATH')];
    says(['bash', '-c', 'set -euo pipefail; . "$1"; echo "$php $php_config $phpize"', 'bash', script('lib.sh')], $env + $none, ["$folder->path/" => '…/']);
}

foreach ([['php', 'php-config', 'phpize'], ['php8.4', 'php-config8.4', 'phpize8.4'], ['php84', 'php-config84', 'phpize84'], ['zts-php', 'zts-php-config', 'zts-phpize']] as [$php, $config, $phpize]) {
    layout($php, $config, $phpize, "$folder->path/$php");
    finds(['PHP_CONFIG' => "$folder->path/$config"]);
    finds(['PHP_CONFIG' => $config]);
    finds(['PHP' => "$folder->path/$php"]);
    finds(['PHP' => $php]);
    finds(['PHPIZE' => $phpize]);
}

echo "-- moved, or without a command line\n";
layout('php', 'php-config', 'phpize', '/was/built/for/bin/php');
finds(['PHP_CONFIG' => "$folder->path/php-config"]);
layout('php', 'php-config', 'phpize', 'NONE');
finds(['PHP_CONFIG' => "$folder->path/php-config"]);

echo "-- named\n";
finds(['PHP' => 'php84', 'PHPIZE' => 'phpize8.4', 'PHP_CONFIG' => 'zts-php-config']);

echo "-- a php whose own php-config is for another\n";
layout('php', 'php-config', 'phpize', '/usr/bin/php9.9');
file_put_contents("$folder->path/php-config", "#!/bin/sh\necho 9.9.9\n");
$version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
layout('php', "php-config$version", "phpize$version", '');
says(['bash', '-c', 'set -euo pipefail; . "$1"; echo "$php $php_config $phpize"', 'bash', script('lib.sh')],
    ['PHP' => "$folder->path/php", 'PHP_CONFIG' => '', 'PHPIZE' => '', 'PATH' => "$folder->path:/usr/bin:/bin"],
    ["$folder->path/" => '…/', $version => 'N.N']);

finds(['PHP_CONFIG' => '/nonexistent/php-config']);
?>
--EXPECT--
PHP_CONFIG=…/php-config: …/php …/php-config …/phpize
=> 0
PHP_CONFIG=php-config: …/php php-config phpize
=> 0
PHP=…/php: …/php …/php-config …/phpize
=> 0
PHP=php: php php-config phpize
=> 0
PHPIZE=phpize: …/php php-config phpize
=> 0
PHP_CONFIG=…/php-config8.4: …/php8.4 …/php-config8.4 …/phpize8.4
=> 0
PHP_CONFIG=php-config8.4: …/php8.4 php-config8.4 phpize8.4
=> 0
PHP=…/php8.4: …/php8.4 …/php-config8.4 …/phpize8.4
=> 0
PHP=php8.4: php8.4 php-config8.4 phpize8.4
=> 0
PHPIZE=phpize8.4: …/php8.4 php-config8.4 phpize8.4
=> 0
PHP_CONFIG=…/php-config84: …/php84 …/php-config84 …/phpize84
=> 0
PHP_CONFIG=php-config84: …/php84 php-config84 phpize84
=> 0
PHP=…/php84: …/php84 …/php-config84 …/phpize84
=> 0
PHP=php84: php84 php-config84 phpize84
=> 0
PHPIZE=phpize84: …/php84 php-config84 phpize84
=> 0
PHP_CONFIG=…/zts-php-config: …/zts-php …/zts-php-config …/zts-phpize
=> 0
PHP_CONFIG=zts-php-config: …/zts-php zts-php-config zts-phpize
=> 0
PHP=…/zts-php: …/zts-php …/zts-php-config …/zts-phpize
=> 0
PHP=zts-php: zts-php zts-php-config zts-phpize
=> 0
PHPIZE=zts-phpize: …/zts-php zts-php-config zts-phpize
=> 0
-- moved, or without a command line
PHP_CONFIG=…/php-config: …/php …/php-config …/phpize
=> 0
PHP_CONFIG=…/php-config: …/php …/php-config …/phpize
=> 0
-- named
PHP=php84: php84 zts-php-config phpize8.4
=> 0
-- a php whose own php-config is for another
…/php php-configN.N phpizeN.N
=> 0
PHP_CONFIG=/nonexistent/php-config: error: PHP_CONFIG is /nonexistent/php-config: there is no such program
=> 1
