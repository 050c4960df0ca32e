# A minimal Debian 12 with git alone: clone, bin/demo, what bin/test installs and some of its tests; the README's way, and what
# else can be made in the tree; the PECL package without a network; a build as other distributions' packages are built; the
# .deb, in a bare system too. All tests on this system, and the README from nothing: the nightly debian12.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
# shellcheck source=../deb.sh
. "$(dirname "$0")/../deb.sh"
# shellcheck source=../readme.sh
. "$(dirname "$0")/../readme.sh"

new_root bookworm
clone_inside

# A new machine may have no package lists yet, and be reading them by itself; and some names have a version in them that the
# lists tell.
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

# Who may not install anything is told what to ask for.
inside useradd --create-home ordinary
inside cp -R redislock /home/ordinary/
inside chown -R ordinary: /home/ordinary/redislock
if inside su ordinary -c 'cd && redislock/bin/demo' >"$scratch/refused" 2>&1; then
    complain 'bin/demo passes without PHP'
fi
grep -q 'Run as root: apt-get update && apt-get install .*php-cli.*libhiredis-dev.*redis-server' "$scratch/refused" || complain "no command to run: $(cat "$scratch/refused")"

inside sh -c "redislock/bin/demo && $no_processes" || complain 'bin/demo'
leaves_nothing

# These folders need most of what else is installed for tests: FPM, a database, certificates.
test_inside tests/cli tests/connections tests/fpm tests/lock tests/scripts tests/tls
leaves_nothing

# Now that the packages are there, an ordinary user can.
inside su ordinary -c 'cd && redislock/bin/demo >/dev/null' || complain 'bin/demo as an ordinary user'

# As users build it, in the tree.
follow_readme
inside sh -c 'cd by-readme && make -j2 test-core ONLY=endpoint CFLAGS=-O0 &&
    make test NO_INTERACTION=1 REPORT_EXIT_STATUS=1 TESTS=tests/unlock' >"$scratch/in-tree" 2>&1 &&
    grep -q '^[1-9][0-9]* passed, 0 failed' "$scratch/in-tree" &&
    grep -q '^Tests passed *: *[1-9]' "$scratch/in-tree" && ! grep -q '^Tests skipped *: *[1-9]' "$scratch/in-tree" || {
    tail -n 60 "$scratch/in-tree"
    complain 'make test-core, make test in the tree'
}
follow_upgrade
left=$(git -c safe.directory='*' -C "$box/root/by-readme" status --porcelain)
[ -z "$left" ] || complain "the build in the tree leaves what git does not ignore: $left"

# PECL, into this system's own PHP, in a network that leads nowhere.
inside sh -c 'apt-get install -qy --no-install-recommends php-pear >/dev/null && cd /srv && pecl package /root/redislock/package.xml' ||
    complain 'pecl package'
inside unshare --net sh -c 'set -e; cd /srv; exec 3<"$(php-config --extension-dir)/redislock.so"; before=$(md5sum <&3)
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

# As a package is built: from a tarball, with Debian's own flags, into another root. First without hiredis.
inside apt-get remove -qy libhiredis-dev >/dev/null 2>&1
mkdir "$box/srv/tarball"
git -C "$root" archive HEAD | tar -C "$box/srv/tarball" -x
cat >"$box/srv/package" <<'SH'
set -e
cd /srv/tarball
eval "$(dpkg-buildflags --export=sh)"
phpize
./configure
make -j"$(nproc)"
make install INSTALL_ROOT=/srv/staged
php -n -d "extension=$(echo /srv/staged/usr/lib/php/*/redislock.so)" --ri redislock
SH
if inside sh /srv/package >"$scratch/log" 2>&1; then
    complain 'it builds without hiredis'
fi
advice=$(sed -n 's/.*\(apt install [a-z0-9 -]*\).*/\1/p' "$scratch/log")
[ -n "$advice" ] || complain "what is missing is not told: $(tail -n 5 "$scratch/log")"
timed "$advice" inside sh -ec "${advice/install/install -y}"
timed 'the build of a package' inside sh /srv/package
grep -q '^redislock support => enabled$' "$scratch/log" || complain 'the package does not load'

make_packages && try_packages bookworm

finish_counted
