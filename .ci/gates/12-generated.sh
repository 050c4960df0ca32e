# What is generated is what its sources say: *_arginfo.h, src/redis/scripts.*, bin/redislock, share/, stubs/.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need php phpize
"$root/bin/embed-lua" --check || complain 'src/redis/scripts.* is old'
"$root/bin/update-command" --check || complain 'bin/redislock or a file of share/ is old'
case $("$php_config" --version) in
    8.2.*) "$root/bin/update-arginfo" --check || complain 'a *_arginfo.h or a file of stubs/ is old' ;;
    *) [ ${#bad[@]} -gt 0 ] || not_here "*_arginfo.h is compared on PHP 8.2, this is $("$php_config" --version)" ;;
esac

finish
