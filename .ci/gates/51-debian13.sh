# A minimal Debian 13 with git alone: the README from nothing to a lock in five minutes. PHP 8.4, hiredis 1.2: all tests on
# Redis 8 but for those that take long; on Valkey 8, as a user with the few rights that the extension asks for, those that
# depend on the server, and some on clusters. The simulated Redis beside either. Symfony 8, which needs this PHP, and composer.json, which needs
# this Composer. All tests on Valkey, and bin/test from nothing: the nightly valkey.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
# shellcheck source=../readme.sh
. "$(dirname "$0")/../readme.sh"
# shellcheck source=../symfony.sh
. "$(dirname "$0")/../symfony.sh"

need composer
new_root trixie
clone_inside
follow_readme

inside sh -c "redislock/bin/demo && $no_processes" || complain 'bin/demo'
leaves_nothing

# While the suites of other gates have their turn, what needs none.
inside nice make -s -C redislock/tests/core CC=cc SANITIZE=address,undefined -j"$(cores)" build || complain "the build of the core's tests"
for server in redis valkey; do
    inside_env=(TERM=dumb "REDISLOCK_TEST_SERVER=$server-server")
    part_of inside redislock/tests/sim/differential --sequences=500
done
leaves_nothing

# What Composer needs of a network is outside of the box.
inside_env=(TERM=dumb)
symfony_project "$box/srv/symfony" 8.1 8.4.1 || complain 'no Symfony 8.1'
inside sh -c 'apt-get install -qy --no-install-recommends php8.4-xml php8.4-mbstring php8.4-redis >/dev/null && cd /srv/symfony/bridges/symfony &&
    php -d extension="$(echo /root/redislock/.build/php-*/modules/redislock.so)" vendor/bin/phpunit --do-not-cache-result' >"$scratch/symfony" 2>&1 ||
    complain 'PHPUnit with Symfony 8.1'
cat "$scratch/symfony"
# What its own store on files leaves.
rm -rf "$box"/tmp/sf.*.lock "$box/tmp/symfony-lock"
# Its Composer knows what `php-ext` may hold, but for the list of ways to download, of which it takes one; that of Debian 12
# takes the property for a mistake.
mkdir "$box/srv/composer"
sed 's/\("download-url-method": \)\["pre-packaged-binary", \("[a-z-]*"\)\]/\1\2/' "$root/composer.json" >"$box/srv/composer/composer.json"
! cmp -s "$root/composer.json" "$box/srv/composer/composer.json" || complain 'composer.json has another list of ways to download'
inside sh -c 'apt-get install -qy --no-install-recommends composer >/dev/null &&
    COMPOSER_ALLOW_SUPERUSER=1 composer validate --strict --no-check-publish /srv/composer/composer.json' || complain 'composer validate'
count=$(symfony_count "$scratch/symfony")
passed=$((passed + ${count:-0}))

inside_env=(TERM=dumb REDISLOCK_TEST_SERVER=redis-server)
suite test_inside --short
inside_env=(TERM=dumb REDISLOCK_TEST_SERVER=valkey-server REDISLOCK_TEST_ACL=1)
suite test_inside --short tests/{demotion,fencing,half_failed,lock,lock_all,queue,restart,rights,wait}
inside_env=(TERM=dumb REDISLOCK_TEST_SERVER=valkey-server)
suite test_inside --no-build --short tests/cluster/{bed_slot_that_moves,leases_are_renewed,locks_and_unlocks,login,slot_that_stays_open,tls}.phpt \
    tests/services/one_host_name_many_ports.phpt
leaves_nothing

finish_counted
