# What is generated is what its sources say: redislock_arginfo.h, redis_scripts.h.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need php phpize
"$root/bin/embed-lua" --check || complain 'redis_scripts.h is old'

# The generator writes for every PHP since 8.2, but each PHP's generator a little otherwise: 8.2's is ours.
case $("$php_config" --version) in
    8.2.*) ;;
    *) [ ${#bad[@]} -eq 0 ] || finish && not_here "redislock_arginfo.h is compared on PHP 8.2, this is $("$php_config" --version)" ;;
esac
need composer
build
generator=$scratch/build
mkdir "$generator" "$scratch/packages"
cp "$(build_folder)/build/gen_stub.php" "$generator/"

# It wants its own version of the parser, and would download it by other means.
parser=$(sed -n 's/^ *\$version = "\([0-9.]*\)";$/\1/p' "$generator/gen_stub.php")
run_quietly composer in_folder "$scratch/packages" env COMPOSER_ALLOW_SUPERUSER=1 composer require --no-interaction --quiet --ignore-platform-reqs "nikic/php-parser:$parser"
mv "$scratch/packages/vendor/nikic/php-parser" "$generator/PHP-Parser-$parser"

cp "$root/redislock.stub.php" "$scratch/"
run_quietly gen_stub in_folder "$scratch" "$php" "$generator/gen_stub.php" -f redislock.stub.php
diff -u "$root/redislock_arginfo.h" "$scratch/redislock_arginfo.h" || complain 'redislock_arginfo.h is not what redislock.stub.php says'

finish
