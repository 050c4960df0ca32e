# shellcheck shell=bash disable=SC2154,SC2034 # root, cache and scratch are lib.sh's and the gate's
# Fresh, minimal Debian systems to try the project in. To be sourced after lib.sh and make_scratch.

# shellcheck source=apt.sh
. "$(dirname "${BASH_SOURCE[0]}")/apt.sh"

# new_root SUITE [NAME]: fills `box` with a folder that holds a minimal system with git, and this machine's apt configuration.
new_root() {
    local suite=$1 archive=$cache/$1-minbase-git.tar part
    local -a from=()
    [ "$(id -u)" = 0 ] || die 'a chroot needs root'
    need debootstrap unshare
    box=$scratch/${2:-$suite}
    mkdir "$box"
    # A month-old base would spend its time on updates.
    if [ -n "$(find "$archive" -mtime -30 2>/dev/null)" ]; then
        tar -C "$box" -xf "$archive"
    else
        read -ra from <<<"$(mirror)"
        run_quietly "debootstrap of $suite" debootstrap --variant=minbase --include=ca-certificates,git "$suite" "$box" ${from[@]+"${from[@]}"}
        rm -f "$box"/var/cache/apt/archives/*.deb
        part=$archive.$$
        # The cache may not be ours to write; then the next run waits as long.
        if mkdir -p "$cache" 2>/dev/null && tar -C "$box" -cf "$part" . 2>/dev/null; then
            mv "$part" "$archive"
        else
            rm -f "$part"
        fi
    fi
    apt_configuration "$suite"
    # Nobody needs the box after a crash of this machine, so what is unpacked need not be on the disk at once.
    # A file that came with this machine's apt configuration may belong to a package, which would ask about it.
    printf '%s\n' force-unsafe-io force-confold >"$box/etc/dpkg/dpkg.cfg.d/gate"
    cp -L /etc/resolv.conf "$box/etc/resolv.conf" 2>/dev/null || true
    cp -L /etc/hosts "$box/etc/hosts" 2>/dev/null || true
}

# apt_configuration SUITE: this machine's own, with its sources turned to the suite.
apt_configuration() {
    local suite=$1 own part file
    own=$(own_suite)
    for part in apt.conf apt.conf.d auth.conf auth.conf.d preferences.d keyrings trusted.gpg trusted.gpg.d sources.list sources.list.d; do
        if [ -e "/etc/apt/$part" ]; then
            rm -rf "$box/etc/apt/$part"
            cp -RL "/etc/apt/$part" "$box/etc/apt/$part"
        fi
    done
    # It has apt read the catalogue of a desktop's programs, which takes longer than all else.
    rm -f "$box/etc/apt/apt.conf.d/50appstream"
    # It may not name the sources in /etc/apt/sources.list, where debootstrap put its own.
    [ -e /etc/apt/sources.list ] || rm -f "$box/etc/apt/sources.list"
    cp -RL /usr/share/keyrings/. "$box/usr/share/keyrings/"
    for file in "$box/etc/apt/sources.list" "$box"/etc/apt/sources.list.d/*; do
        [ ! -f "$file" ] || sed -i "s/\b$own\b/$suite/g" "$file"
    done
}

# inside COMMAND…: runs it in the box, as its root, in /root. What it mounts and starts ends with it, however it ends:
# the mounts are in a namespace of their own, and so are the processes.
inside() {
    unshare --mount --pid --fork --kill-child --mount-proc="$box/proc" \
        chroot "$box" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 CI="${CI:-}" "${inside_env[@]}" \
        sh -c 'cd && exec "$@"' sh "$@"
}
inside_env=(TERM=dumb)

# Puts a fresh clone of the commit at hand into the box, as /root/redislock, made by the git in there.
clone_inside() {
    git clone -q --bare "$root" "$box/srv/redislock.git"
    git -C "$box/srv/redislock.git" update-ref refs/heads/under-test "$(git -C "$root" rev-parse HEAD)"
    inside git clone -q --branch under-test /srv/redislock.git redislock
    [ -z "$(git -C "$root" status --porcelain)" ] || say 'note: what is not committed is not tried here'
}

# test_inside [PATH…]: bin/test in the box, all of it or these; its numbers are added up.
test_inside() {
    local status=0
    inside sh -c "cd redislock && bin/test $* && $no_processes" >"$scratch/test" 2>&1 || status=$?
    cat "$scratch/test"
    [ "$status" -eq 0 ] || complain "bin/test $* exited with $status (${inside_env[*]})"
    add_counts "$scratch/test"
}

# whole_test [PATH…]: ends a gate with all tests, or these, in the box.
whole_test() {
    test_inside "$@"
    leaves_nothing
    finish_counted
}

# Complains of processes and files that a run left behind in the box. (Its processes would have ended with it: so it is
# the run itself that lists them at its end.)
leaves_nothing() {
    local left
    # The counters of a machine outlive the processes that they are of.
    left=$(find "$box/tmp" "$box/var/tmp" "$box/dev/shm" -mindepth 1 ! -path "$box/dev/shm/redislock.metrics.*" 2>/dev/null || true)
    [ -z "$left" ] || complain "left behind: $left"
    left=$(git -c safe.directory='*' -C "$box/root/redislock" status --porcelain --ignored | grep -v '^!! \(.build\|tests/core/bin\)/$' || true)
    [ -z "$left" ] || complain "left behind in the tree: $left"
}

# no_processes: a script that fails if anything but itself still runs in the box.
no_processes='for p in /proc/[0-9]*; do n=$(cat $p/comm 2>/dev/null) || continue; case $n in sh|cat|bash) ;; *) echo "still running: $n"; exit 1 ;; esac; done'
