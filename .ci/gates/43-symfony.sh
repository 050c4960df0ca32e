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

finish_counted
