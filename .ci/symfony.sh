# shellcheck shell=bash disable=SC2154 # root is lib.sh's
# The tests of bridges/symfony with one version of Symfony. To be sourced after lib.sh.

# symfony_project FOLDER VERSION [PHP-VERSION]: makes a copy of the bridge with its dependencies, for this PHP or another,
# in FOLDER/bridges/symfony.
symfony_project() {
    local folder=$1/bridges/symfony version=$2 other_php=${3:-}
    local -a composer=(env COMPOSER_ALLOW_SUPERUSER=1 composer --no-interaction --working-dir="$folder/tests")
    mkdir -p "$1/bridges" "$1/tests"
    cp -R "$root/bridges/symfony" "$folder"
    cp -R "$root/tests/inc" "$1/tests/inc"
    [ -z "$other_php" ] || "${composer[@]}" config platform.php "$other_php"
    run_quietly "composer with Symfony $version" \
        "${composer[@]}" update --ignore-platform-req=ext-redislock --with "symfony/symfony:~$version.0" || return
    # All of Symfony in one package, the only way to get its rate limiter here, is accepted by FrameworkBundle at the root alone.
    sed -i "s|'name' => '__root__'|'name' => 'symfony/symfony'|" "$folder/vendor/composer/installed.php"
}

# symfony_count LOG: how many tests PHPUnit passed, all of them; nothing if it failed.
symfony_count() {
    sed -nE 's/^OK \(([0-9]+) tests?, .*/\1/p' "$1"
}
