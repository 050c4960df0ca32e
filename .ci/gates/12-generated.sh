# What is generated is what its sources say: redislock_arginfo.h, redis_scripts.h, stubs/RedisLock.php.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need php phpize
"$root/bin/embed-lua" --check || complain 'redis_scripts.h is old'
case $("$php_config" --version) in
    8.2.*) "$root/bin/update-arginfo" --check || complain 'redislock_arginfo.h or stubs/RedisLock.php is old' ;;
    *) [ ${#bad[@]} -gt 0 ] || not_here "redislock_arginfo.h is compared on PHP 8.2, this is $("$php_config" --version)" ;;
esac

finish
