# A minimal Debian 13 with git alone: PHP 8.4, hiredis 1.2; all tests on Redis 8 and on Valkey 8. Symfony 8, which needs it.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
# shellcheck source=../symfony.sh
. "$(dirname "$0")/../symfony.sh"

need composer
new_root trixie
clone_inside

# The second time as a Redis user with the few rights that the extension asks for.
passed=0 failures=0 skipped=0
for variant in 'redis-server 0' 'valkey-server 1'; do
    read -r server rights <<<"$variant"
    inside_env=(TERM=dumb "REDISLOCK_TEST_SERVER=$server")
    [ "$rights" = 0 ] || inside_env+=(REDISLOCK_TEST_ACL=1)
    status=0
    inside sh -c "redislock/bin/test && $no_processes" >"$scratch/test" 2>&1 || status=$?
    cat "$scratch/test"
    [ "$status" -eq 0 ] || complain "bin/test with $server exited with $status"
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$scratch/test" | tail -n 1 || true)
    read -ra words <<<"${line//,/}"
    passed=$((passed + ${words[0]:-0})) failures=$((failures + ${words[2]:-0})) skipped=$((skipped + ${words[4]:-0}))
done
inside sh -c "redislock/bin/demo && $no_processes" || complain 'bin/demo'
leaves_nothing

# What Composer needs of a network is outside of the box.
inside_env=(TERM=dumb)
symfony_project "$box/srv/symfony" 8.1 8.4.1 || complain 'no Symfony 8.1'
inside sh -c 'apt-get install -qy --no-install-recommends php8.4-xml php8.4-mbstring >/dev/null && cd /srv/symfony/bridges/symfony &&
    php -d extension="$(echo /root/redislock/.build/php-*/modules/redislock.so)" vendor/bin/phpunit --do-not-cache-result' >"$scratch/symfony" 2>&1 ||
    complain 'PHPUnit with Symfony 8.1'
cat "$scratch/symfony"
count=$(symfony_count "$scratch/symfony")
passed=$((passed + ${count:-0}))

line="$passed passed, $((failures > 0 || ${#bad[@]} == 0 ? failures : 1)) failed"
[ "$skipped" -eq 0 ] || line+=", $skipped skipped"
[ ${#bad[@]} -gt 0 ] || echo "$line"
finish "$line"
