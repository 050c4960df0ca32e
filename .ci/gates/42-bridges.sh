# What is published beside the extension: the bridges to Laravel and Symfony, and the stubs.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
short=(laravel symfony stubs)

# The Laravel bridge in the newest Laravel 11, 12 and 13, with the extension and without it; the flash sale in Laravel.
laravel() {
    need pgrep
    part_of "$root/bridges/laravel/tests/run" 11 12 13
    # With the packages that the tests have installed.
    if [ -e "$root/.build/laravel-12/autoload.php" ]; then
        private_tmp
        COMPOSER_VENDOR_DIR=$root/.build/laravel-12 "$root/examples/laravel-flash-sale/run" || complain 'the flash sale'
        tidy 'the flash sale'
    else
        complain 'the flash sale was not tried: there is no Laravel 12'
    fi
}

# The store for Symfony's Lock component, alone and in an application's container, with the Symfony that PHP 8.2 can have.
symfony() {
    build server composer ext-dom ext-mbstring ext-redis ext-pdo_sqlite
    for version in 6.4 7.4; do
        project=$scratch/$version
        symfony_project "$project" "$version" || { complain "no Symfony $version" && continue; }
        cd "$project/bridges/symfony"
        phpunit_of "$version" "$php" -d "extension=$extension" -d "redislock.shared_memory=$scratch" vendor/bin/phpunit --do-not-cache-result
    done

    # Composer by a PHP that lacks the extension: refused, but for what the README says. Then Flex, whose recipes come from an address:
    # here from one that has none, as there is none for this package.
    export COMPOSER_ALLOW_SUPERUSER=1
    mkdir -p "$scratch/application" "$scratch/recipes"
    cat >"$scratch/application/composer.json" <<JSON
{
  "repositories": [{"type": "path", "url": "$root/bridges/symfony", "options": {"symlink": false}}],
  "require": {"redislock/symfony-lock": "@dev"},
  "config": {"allow-plugins": {"symfony/flex": true}, "secure-http": false}
}
JSON
    cat >"$scratch/recipes/index.json" <<'JSON'
{"recipes": {}, "recipe-conflicts": {}, "versions": {}, "branch": "main", "is_contrib": false, "_links": {"repository": "none",
 "origin_template": "{package}:{version}", "recipe_template": "none", "archived_recipes_template": "none"}}
JSON
    cd "$scratch/application"
    ! composer --no-interaction update --dry-run >"$scratch/log" 2>&1 || complain 'Composer installs it without the extension'
    grep -q 'ext-redislock' "$scratch/log" || { cat "$scratch/log"; complain 'Composer does not say that the extension is missing'; }
    run_quietly 'the option of Composer' composer --no-interaction update --dry-run --ignore-platform-req=ext-redislock || complain 'the option of Composer'
    composer --no-interaction config platform.ext-redislock 0.1.0
    port=$((20000 + RANDOM % 10000))
    "$php" -n -S "127.0.0.1:$port" -t "$scratch/recipes" >/dev/null 2>&1 &
    recipes=$!
    export SYMFONY_ENDPOINT=http://127.0.0.1:$port/index.json
    composer --no-interaction config --json extra.symfony.endpoint "[\"$SYMFONY_ENDPOINT\"]"
    run_quietly 'Composer with Flex' composer --no-interaction require 'symfony/flex:^2' && [ -e config/bundles.php ] && "$php" -n -r '
        namespace { exit((require "config/bundles.php") === ["Redislock\Symfony\RedislockSymfonyBundle" => ["all" => true]] ? 0 : 1); }
    ' || complain 'Flex does not register the bundle'
    kill "$recipes" && wait "$recipes" 2>/dev/null || true
}

# The stubs say what the extension declares, to PHPStan and Psalm too, and declare nothing at run time.
stubs() {
    build composer ext-dom ext-mbstring

    # What is in the stubs is what is in the extension.
    "$php" -n -r "require '$root/stubs/RedisLock.php'; require '$root/stubs/RedisQueue.php'; require '$root/.ci/describe.php';" >"$scratch/stubs"
    "$php" -n -d "extension=$extension" "$root/.ci/describe.php" >"$scratch/extension"
    [ "$(wc -l <"$scratch/extension")" -ge 20 ] || complain "the extension declares little: $(cat "$scratch/extension")"
    diff -u "$scratch/extension" "$scratch/stubs" || complain 'the stubs declare something else than the extension'
    while read -r method; do
        grep -q -e "->$method(" -e "::$method(" "$root/stubs/tests/every_call.php" || complain "stubs/tests/every_call.php does not call $method()"
    done < <(sed -n 's/^  public .*\b\([a-z]\w*\)(.*/\1/p' "$scratch/extension" | grep -v __construct)

    # In a project of a user's. Without the extension the stubs are all that PHPStan and Psalm know.
    mkdir "$scratch/project"
    cd "$scratch/project"
    cp -R "$root/stubs" "$scratch/package"
    cat >composer.json <<JSON
{
  "repositories": [{"type": "path", "url": "../package", "options": {"symlink": false}}],
  "require-dev": {"redislock/stubs": "*@dev", "phpstan/phpstan": "^2.1", "vimeo/psalm": ">=5.18"}
}
JSON
    run_quietly 'composer in a project with the stubs' env COMPOSER_ALLOW_SUPERUSER=1 composer update --no-interaction || complain 'composer'
    printf 'includes:\n    - vendor/redislock/stubs/extension.neon\nparameters:\n    level: max\n    tmpDir: tmp\n' >phpstan.neon
    # psalm FILE [OPTION…]: at its highest level, as the stubs' README says.
    psalm() {
        cat >psalm.xml <<XML
<?xml version="1.0"?>
<psalm errorLevel="1" findUnusedCode="false" cacheDirectory="cache" xmlns="https://getpsalm.org/schema/config">
  <projectFiles><file name="$1"/></projectFiles>
  $(sed -n 's/^- \*\*Psalm\*\*: `\(.*\)`$/\1/p' vendor/redislock/stubs/README.md)
</psalm>
XML
        "$php" -d memory_limit=1G "${@:2}" vendor/bin/psalm --no-progress --no-cache --threads=1 --output-format=text
    }
    cp "$scratch/package/tests/every_call.php" .
    for load in '' "-dextension=$extension"; do
        "$php" -d memory_limit=1G ${load:+"$load"} vendor/bin/phpstan analyse --no-progress every_call.php || complain "PHPStan $load"
        psalm every_call.php ${load:+"$load"} || complain "Psalm $load"
    done
    cat >wrong.php <<'PHP'
<?php
(new RedisLock())->unlock('x', true);
expect((new RedisLock())->synchronized('x', fn (): int => 42));
function expect(string $text): void {}
PHP
    found=$("$php" -d memory_limit=1G vendor/bin/phpstan analyse --no-progress --error-format=raw wrong.php 2>&1 || true)
    grep -q 'wrong.php:2:.*unlock() expects string|null, true given' <<<"$found" && grep -q 'wrong.php:3:.*expects string, int given' <<<"$found" ||
        complain "PHPStan does not find what is wrong: $found"
    found=$(psalm wrong.php 2>&1 || true)
    grep -q 'wrong.php:2:.*unlock expects.*but true provided' <<<"$found" && grep -q 'wrong.php:3:.*expects string, but 42 provided' <<<"$found" ||
        complain "Psalm does not find what is wrong: $found"

    declared=$("$php" -n -r 'require "vendor/autoload.php"; echo class_exists("RedisLock") ? "something" : "nothing";')
    [ "$declared" = nothing ] || complain 'the stubs declare something at run time'
    "$php" -n -d "extension=$extension" -r 'require "vendor/autoload.php"; exit(class_exists("RedisLock") ? 0 : 1);' || complain 'the stubs are in the way of the extension'
}

steps "$@"
