# shellcheck shell=bash disable=SC2154,SC2034 # root, box and scratch are lib.sh's
# Debian's packages: made in one system, tried in a bare one. To be sourced after lib.sh.

# shellcheck source=debian.sh
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"
# shellcheck source=readme.sh
. "$(dirname "${BASH_SOURCE[0]}")/readme.sh"

# make_packages OPTION…: bin/package-deb in the box, which has a clone; what it makes comes to $scratch/deb.
make_packages() {
    run_quietly "bin/package-deb $*" inside redislock/bin/package-deb --into=/srv/deb "$@" ||
        { complain "bin/package-deb $*" && return 1; }
    cp -R "$box/srv/deb" "$scratch/deb"
    ls -sh1 "$scratch"/deb/*.deb
}

# files_inside: all files of the box but those in which the system, apt and dpkg keep their state and their logs.
files_inside() {
    find "$box" -xdev \( -path "$box/proc" -o -path "$box/run" -o -path "$box/tmp" -o -path "$box/srv" -o -path "$box/var/cache" \
        -o -path "$box/var/log" -o -path "$box/var/lib/apt" -o -path "$box/var/lib/dpkg" \) -prune -o -printf '%P\n' | sort
}

# try_packages SUITE: the one line of docs/install.md in a bare system, and a lock; then a purge. $scratch/purged says what is
# there behind it.
try_packages() {
    local suite=$1 began took
    new_root "$suite" bare
    starts_no_service
    mkdir "$box/srv/shop"
    cp "$scratch"/deb/*.deb "$box/srv/shop/"
    {
        echo 'set -e; cd /srv/shop'
        grep '^apt-get update && apt-get install .*_\*\.deb .*redis-server$' "$root/docs/install.md"
        echo 'redis-server --port 0 --unixsocket /srv/redis.sock --dir /srv --daemonize yes >/dev/null
            until [ -S /srv/redis.sock ]; do sleep 0.1; done
            php -r "exit((new RedisLock(\"unix:///srv/redis.sock\"))->lock(\"SKU0001\") ? 0 : 1);"'
    } >"$box/srv/line"
    began=${EPOCHREALTIME/[.,]/}
    inside sh /srv/line >"$scratch/line" 2>&1 || {
        tail -n 40 "$scratch/line"
        complain "no lock by the one line on $suite"
        return
    }
    took=$(((${EPOCHREALTIME/[.,]/} - began) / 1000))
    printf '%d ms from the one line to a lock on %s. %s\n' "$took" "$suite" "$(grep '^Need to get' "$scratch/line")"
    inside redislock --version || complain 'the command does not run'

    run_quietly purge inside apt-get purge -qy redislock 'php*-redislock' || complain 'purge'
    files_inside >"$scratch/purged"
    prints_nothing 'the purge leaves' grep -i redislock "$scratch/purged"
}

# compare_with_never SUITE: whether, behind that purge, all is as in a system where the packages have never been, and all others
# are that they brought.
compare_with_never() {
    local -a others
    mapfile -t others < <(sed -n 's/^Setting up \([^ :]*\).*/\1/p' "$scratch/line" | grep -v redislock)
    new_root "$1" never
    starts_no_service
    run_quietly 'the other packages' inside sh -c 'apt-get update -q && apt-get install -qy "$@"' sh "${others[@]}" || complain 'the other packages'
    files_inside >"$scratch/never.files"
    [ "$(wc -l <"$scratch/never.files")" -ge 1000 ] || complain 'found no files to compare'
    diff "$scratch/never.files" "$scratch/purged" >"$scratch/left" || complain "not as before: $(cat "$scratch/left")"
}

# make_next_packages: those of a next version, which brings another redislock.ini, come to $scratch/next. Behind make_packages.
make_next_packages() {
    cat >"$box/srv/make-next" <<'BOX'
set -e
cd redislock
sed -i 's/^\(#define PHP_REDISLOCK_VERSION ".*\)"$/\1.1"/' php_redislock.h
echo '; of the next version' >>packaging/debian/redislock.ini
git -c user.name=next -c user.email=next@localhost commit -qam next
bin/package-deb --into=/srv/next
BOX
    run_quietly 'the next packages' inside sh /srv/make-next || { complain 'the next packages' && return 1; }
    cp -R "$box/srv/next" "$scratch/next"
}

# try_upgrade SUITE: .ci/deb-upgrade/steps.sh in a bare system, by the commands of docs/upgrading.md. Behind make_next_packages.
try_upgrade() {
    local page=docs/upgrading.md php
    local -a lines
    new_root "$1" upgrade
    starts_no_service
    rm "$box/etc/dpkg/dpkg.cfg.d/gate" # what the page says has to answer dpkg's question, and not this
    cp -R "$root/.ci/deb-upgrade" "$box/srv/shop"
    cp -R "$root/tests" "$box/srv/tests" # its client of PHP-FPM
    cp -R "$scratch/deb" "$box/srv/shop/before"
    cp "$scratch"/next/*.deb "$box/srv/shop/"
    php=$(basename "$scratch"/deb/php*-redislock_*.deb | sed 's/^php\([0-9.]*\)-.*/\1/')
    readarray -t lines < <(block policy-rc.d "$page")
    [ ${#lines[@]} -eq 4 ] || complain "$page upgrades by other commands"
    begin_upgrade
    {
        as_function forbid_restarts <<<"${lines[0]}"
        as_function install_new <<<"${lines[1]}"
        as_function allow_restarts <<<"${lines[2]}"
        as_function reload <<<"${lines[3]}"
        block 'sed -i' "$page" | grep '^sed' | as_function give_requests_time
        block 'configure -a' "$page" | as_function answer_and_go_on
        block 'allow-downgrades' "$page" | sed '$d' | as_function install_old
        cat "$root/.ci/deb-upgrade/steps.sh"
    } >>"$box/srv/upgrade"
    sed -i "s/8\.2/$php/g" "$box/srv/upgrade"
    timed "three upgrades by packages on $1" inside bash /srv/upgrade
    grep ' requests, .* of the first upgrade' "$scratch/log" || true
    run_quietly purge inside apt-get purge -qy redislock 'php*-redislock' || complain 'purge'
    prints_nothing 'the purge behind an upgrade leaves' find "$box/etc" -name '*redislock*'
}

# as_function NAME: a function of a shell that does what comes in.
as_function() {
    printf '%s() {\n%s\n}\n' "$1" "$(cat)"
}
