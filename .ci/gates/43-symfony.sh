# The store for Symfony's Lock component, alone and in an application's container, with the Symfony that PHP 8.2 can have.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../symfony.sh
. "$(dirname "$0")/../symfony.sh"

build server composer ext-dom ext-mbstring ext-redis pdo_sqlite
for version in 6.4 7.4; do
    project=$scratch/$version
    symfony_project "$project" "$version" || { complain "no Symfony $version" && continue; }
    cd "$project/bridges/symfony"
    "$php" -d "extension=$extension" vendor/bin/phpunit --do-not-cache-result >"$project/log" 2>&1 || complain "PHPUnit with Symfony $version"
    cat "$project/log"
    count=$(symfony_count "$project/log")
    passed=$((passed + ${count:-0}))
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

finish_counted
