# What is generated is what its sources say: *_arginfo.h, src/redis/scripts.*, bin/redislock, share/, stubs/,
# what REPOSITORY says.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need php phpize
"$root/bin/embed-lua" --check || complain 'src/redis/scripts.* is old'
"$root/bin/update-command" --check || complain 'bin/redislock or a file of share/ is old'
"$root/bin/update-repository" --check || complain 'a composer.json, package.xml or README is old'
# What leads nowhere stands in one place, so that there is one place to change. Tests need names that nobody has.
made_up=$(git -C "$root" grep -nI '[a-z0-9]\.invalid\b' -- . ':!tests' ':!.ci' ':!REPOSITORY' ':!bridges/*/tests') || true
[ -z "$made_up" ] || complain "addresses that lead nowhere: $made_up"
case $("$php_config" --version) in
    8.2.*) "$root/bin/update-arginfo" --check || complain 'a *_arginfo.h or a file of stubs/ is old' ;;
    *) [ ${#bad[@]} -gt 0 ] || not_here "*_arginfo.h is compared on PHP 8.2, this is $("$php_config" --version)" ;;
esac

finish
