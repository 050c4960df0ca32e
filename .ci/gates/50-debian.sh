# Minimal Debian systems with git alone, as a user has them: what the documents say, bin/demo, bin/test.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../deb.sh
. "$(dirname "$0")/../deb.sh"
short=(debian12 debian13)
long=(debian12 debian13)

# PHP 8.2, hiredis 0.14, Redis 7: clone, bin/demo, what bin/test installs and some of its tests; the README's way, and what else can
# be made in the tree; the PECL package without a network; what configure says is missing; the .deb, in a bare system too. In the long
# form the README from nothing to a lock, and then all tests.
debian12() {
    new_root bookworm
    clone_inside
    if [ "$form" = long ]; then
        follow_readme
        test_inside
        leaves_nothing
        return
    fi

    new_machine
    without_rights
    inside sh -c "redislock/bin/demo && $no_processes" || complain 'bin/demo'
    leaves_nothing

    # These folders need what else is installed for tests: FPM, a database, certificates. On this PHP and Redis, all tests run in
    # another step.
    test_inside --short tests/php/{connections,fpm,scripts,tls}
    leaves_nothing

    # Now that the packages are there, an ordinary user can.
    inside env CFLAGS=-O0 su ordinary -c 'cd && redislock/bin/demo >/dev/null' || complain 'bin/demo as an ordinary user'

    in_the_tree
    by_pecl
    names_what_is_missing
    ! make_packages || try_packages bookworm
}

# A new machine may have no package lists yet, and be reading them by itself; and some names have a version in them that the
# lists tell.
new_machine() {
    cat >"$box/srv/new-machine" <<'SH'
rm -rf /var/lib/apt/lists/*
apt-get -qq -o 'APT::Update::Pre-Invoke::=touch /srv/reading; sleep 4' update >/dev/null 2>&1 &
until [ -e /srv/reading ]; do sleep 0.1; done
. redislock/bin/lib.sh
apt_install() { echo "to install: $*"; exit; }
need clang
SH
    named=$(inside timeout 120 bash /srv/new-machine 2>/dev/null) || true
    [[ $named =~ ^to\ install:\ clang\ libclang-rt-[0-9]+-dev$ ]] || complain "on a new machine, clang is: $named"
}

# Who may not install anything is told what to ask for.
without_rights() {
    inside useradd --create-home ordinary
    inside cp -R redislock /home/ordinary/
    inside chown -R ordinary: /home/ordinary/redislock
    ! inside su ordinary -c 'cd && redislock/bin/demo' >"$scratch/refused" 2>&1 || complain 'bin/demo passes without PHP'
    grep -q 'Run as root: apt-get update && apt-get install .*php-cli.*libhiredis-dev.*redis-server' "$scratch/refused" || complain "no command to run: $(cat "$scratch/refused")"
}

# As users build it, in the tree.
in_the_tree() {
    follow_readme
    inside sh -c 'cd by-readme && make -j2 test-core ONLY=endpoint CFLAGS=-O0 &&
        make test NO_INTERACTION=1 REPORT_EXIT_STATUS=1 TESTS=tests/php/unlock' >"$scratch/in-tree" 2>&1 &&
        grep -q '^[1-9][0-9]* passed, 0 failed' "$scratch/in-tree" &&
        grep -q '^Tests passed *: *[1-9]' "$scratch/in-tree" && ! grep -q '^Tests skipped *: *[1-9]' "$scratch/in-tree" || {
        tail -n 60 "$scratch/in-tree"
        complain 'make test-core, make test in the tree'
    }
    follow_upgrade
    prints_nothing 'the build in the tree leaves what git does not ignore' \
        git -c safe.directory='*' -C "$box/root/by-readme" status --porcelain
}

# PECL, into this system's own PHP, in a network that leads nowhere.
by_pecl() {
    inside sh -c 'apt-get install -qy --no-install-recommends php-pear >/dev/null && cd /srv && pecl package /root/redislock/package.xml' ||
        complain 'pecl package'
    inside env CFLAGS=-O0 unshare --net sh -c 'set -e; cd /srv; exec 3<"$(php-config --extension-dir)/redislock.so"; before=$(md5sum <&3)
        '"$(block 'pecl install -f' docs/upgrading.md | sed '/^pecl/d')"'
        printf "\n\n" | pecl install -f ./redislock-*.tgz | tail -n 4
        # The file that a process may have is not written into.
        [ "$(md5sum </proc/self/fd/3)" = "$before" ] || { echo "pecl writes into the file"; exit 1; }
        echo extension=redislock >/etc/php/8.2/mods-available/redislock.ini; phpenmod redislock
        redis-server --port 0 --unixsocket /srv/redis.sock --dir /srv --appendonly yes >/dev/null & sleep 1
        php -r "\$lock = new RedisLock(\"unix:///srv/redis.sock\");
            exit(\$lock->lock(\"SKU0001\") && !(new RedisLock(\"unix:///srv/redis.sock\"))->lock(\"SKU0001\") && \$lock->unlock(\"SKU0001\") ? 0 : 1);"
        redislock --server=unix:///srv/redis.sock ping
        kill $!; wait' || complain 'pecl install gives no PHP that locks'
}

# What configure says is missing, it gets by the command that it names. (A build with Debian's own flags, from a tarball and into
# another root, is that of bin/package-deb.)
names_what_is_missing() {
    inside apt-get remove -qy libhiredis-dev >/dev/null 2>&1
    mkdir "$box/srv/tarball"
    git -C "$root" archive HEAD | tar -C "$box/srv/tarball" -x
    ! inside sh -c 'cd /srv/tarball && phpize && ./configure' >"$scratch/log" 2>&1 || complain 'it is configured without hiredis'
    advice=$(sed -n 's/.*\(apt install [a-z0-9 -]*\).*/\1/p' "$scratch/log")
    [ -n "$advice" ] || complain "what is missing is not told: $(tail -n 5 "$scratch/log")"
    timed "$advice" inside sh -ec "${advice/install/install -y}"
    timed 'configure' inside sh -c 'cd /srv/tarball && ./configure'
}

# PHP 8.4, hiredis 1.2: the README from nothing to a lock in five minutes; all tests on Redis 8 but for those that take long; on
# Valkey 8, as a user with the few rights that the extension asks for, those that depend on the server, and some on clusters. The
# simulated Redis beside either. Symfony 8, which needs this PHP, and composer.json, which needs this Composer. In the long form, by
# what bin/test installs from nothing, all tests on Valkey; and on clusters of Valkey and Redis.
debian13() {
    new_root trixie
    clone_inside
    if [ "$form" = long ]; then
        inside_env+=(REDISLOCK_TEST_SERVER=valkey-server REDISLOCK_TEST_ACL=1)
        test_inside
        for server in redis valkey; do
            inside_env=(TERM=dumb "REDISLOCK_TEST_SERVER=$server-server")
            test_inside --no-build --cluster tests/php/{lock,lock_all,backlog,cache}
        done
        leaves_nothing
        return
    fi

    need composer
    follow_readme
    inside sh -c "redislock/bin/demo && $no_processes" || complain 'bin/demo'
    leaves_nothing

    # While the suites of other steps have their turn, what needs none.
    inside nice make -s -C redislock/tests/core CC=cc SANITIZE=address,undefined -j"$(cores)" build || complain "the build of the core's tests"
    for server in redis valkey; do
        inside_env=(TERM=dumb "REDISLOCK_TEST_SERVER=$server-server")
        part_of inside redislock/tests/sim/differential --sequences=500
    done
    leaves_nothing
    inside_env=(TERM=dumb)
    symfony_8
    newer_composer

    on_valkey >"$scratch/on_valkey" 2>&1 &
    valkey=$!
    inside_env=(TERM=dumb REDISLOCK_TEST_SERVER=redis-server)
    suite test_inside --short
    wait "$valkey" || complain 'on Valkey'
    cat "$scratch/on_valkey"
    add_counts "$scratch/on_valkey"
    leaves_nothing
}

# Its part on Valkey, beside that on Redis.
on_valkey() {
    local scratch=$scratch/valkey wrong=0 passed=0 failed=0 skipped=0
    mkdir "$scratch"
    inside_env=(TERM=dumb REDISLOCK_TEST_SERVER=valkey-server REDISLOCK_TEST_ACL=1)
    suite test_inside --short tests/php/{demotion,fencing,half_failed,lock,lock_all,queue,restart,rights,wait}
    inside_env=(TERM=dumb REDISLOCK_TEST_SERVER=valkey-server)
    suite test_inside --no-build --short tests/php/services/one_host_name_many_ports.phpt \
        tests/php/cluster/{bed_slot_that_moves,leases_are_renewed,locks_and_unlocks,login,slot_that_stays_open,tls}.phpt
    told "$passed" "$failed" "$skipped"
    [ "$wrong" -eq 0 ]
}

# What Composer needs of a network is outside of the box.
symfony_8() {
    symfony_project "$box/srv/symfony" 8.1 8.4.1 || complain 'no Symfony 8.1'
    phpunit_of 8.1 inside sh -c 'apt-get install -qy --no-install-recommends php8.4-xml php8.4-mbstring php8.4-redis >/dev/null && cd /srv/symfony/bridges/symfony &&
        php -d extension="$(echo /root/redislock/.build/php-*/modules/redislock.so)" vendor/bin/phpunit --do-not-cache-result'
    # What its own store on files leaves.
    rm -rf "$box"/tmp/sf.*.lock "$box/tmp/symfony-lock"
}

# Debian 13's Composer knows what `php-ext` may hold, but for the list of ways to download, of which it takes one; that of Debian 12
# takes the property for a mistake.
newer_composer() {
    mkdir "$box/srv/composer"
    sed 's/\("download-url-method": \)\["pre-packaged-binary", \("[a-z-]*"\)\]/\1\2/' "$root/composer.json" >"$box/srv/composer/composer.json"
    ! cmp -s "$root/composer.json" "$box/srv/composer/composer.json" || complain 'composer.json has another list of ways to download'
    inside sh -c 'apt-get install -qy --no-install-recommends composer >/dev/null &&
        COMPOSER_ALLOW_SUPERUSER=1 composer validate --strict --no-check-publish /srv/composer/composer.json' || complain 'composer validate'
}

steps "$@"
