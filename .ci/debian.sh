# shellcheck shell=bash disable=SC2154,SC2034 # root, cache and scratch are lib.sh's
# Debian: what its suites have, and fresh, minimal systems to try the project in. To be sourced after lib.sh.

# --- Lists of packages ------------------------------------------------------------------------------------------------
# They are our own, so that this machine's stay as they are.

# The name by which this machine's sources call its release; the same sources with another name bring another release.
own_suite() {
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# Where this machine gets Debian from; nothing if that is not to be seen.
mirror() {
    # shellcheck disable=SC2016 # apt expands it
    apt-get indextargets --format '$(SUITE) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
        awk -v suite="$(own_suite)" '$1 == suite || $2 == suite { print $3; exit }'
}

no_mirror="this machine's package lists name no mirror of Debian"

# sources_of TYPE SUITE…: apt's lines for their packages (deb) or sources (deb-src); nothing without a mirror.
sources_of() {
    local type=$1 from suite
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    shift
    from=$(mirror)
    [ -e "$keyring" ] && keyring=" [signed-by=$keyring]" || keyring=
    for suite in ${from:+"$@"}; do
        echo "$type$keyring $from $suite main"
    done
}

# own_apt COMMAND…: apt-get or apt-cache, with what read_lists() has read.
own_apt() {
    "$1" -o "Dir::Etc::sourcelist=$scratch/apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::Etc::preferencesparts="$scratch/apt/none" \
        -o "Dir::State::lists=$scratch/apt/lists" -o "Dir::Cache=$scratch/apt" -o Dir::State::status=/dev/null \
        -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none -o Acquire::http::Timeout=20 \
        -o APT::Sandbox::User="$(id -un)" "${@:2}"
}

# read_lists TYPE SUITE…: fetches the suites' lists of packages (deb) or sources (deb-src); if that fails, `why_not` says why.
read_lists() {
    mkdir -p "$scratch/apt/lists/partial" "$scratch/apt/archives/partial" "$scratch/apt/none"
    sources_of "$@" >"$scratch/apt/sources.list"
    [ -s "$scratch/apt/sources.list" ] || { why_not=$no_mirror && return 1; }
    own_apt apt-get -q --error-on=any update >"$scratch/apt/log" 2>&1 || { why_not=$(apts_words "$scratch/apt/log") && return 1; }
}

# source_of SUITE PACKAGE FOLDER: unpacks the source as its authors have released it, checked by apt, into a new folder.
source_of() {
    local download=$scratch/source-of-$2
    grep -q '^ID=debian$' /etc/os-release || not_here "the source of $2 is that of Debian"
    read_lists deb-src "$1" || die "the source of $2 cannot be had: $why_not"
    mkdir "$download" "$3"
    run_quietly "getting the source of $2" in_folder "$download" own_apt apt-get -q source --download-only "$2"
    tar -xf "$download"/*.orig.tar.[gx]z -C "$3" --strip-components=1
    rm -rf "$download"
}

# apts_words LOG: what apt gives as its reasons, in one line.
apts_words() {
    local words
    [ -s "$1" ] || echo 'apt said nothing' >"$1"
    words=$(grep -hE '^(E|Err):? |Depends:|Conflicts:|Breaks:' "$1" | tr -s ' ' | head -n 6 | paste -sd ';' || true)
    echo "${words:-$(tail -n 1 "$1")}"
}

# --- Systems ----------------------------------------------------------------------------------------------------------

can_chroot() {
    [ "$(id -u)" = 0 ] || die 'a chroot needs root'
    need debootstrap unshare
}

# new_root SUITE [NAME]: fills `box` with a folder that holds a minimal system with git, and this machine's apt configuration.
new_root() {
    local suite=$1 archive=$cache/$1-minbase-git.tar part
    local -a from=()
    can_chroot
    box=$scratch/${2:-$suite}
    mkdir "$box"
    # A month-old base would spend its time on updates.
    if [ -n "$(find "$archive" -mtime -30 2>/dev/null)" ]; then
        tar -C "$box" -xf "$archive"
    else
        read -ra from <<<"$(mirror)"
        run_quietly "debootstrap of $suite" debootstrap --variant=minbase --include=ca-certificates,git "$suite" "$box" "${from[@]}"
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

# What is installed in the box starts no server at a port that is somebody's outside.
starts_no_service() {
    install /dev/stdin "$box/usr/sbin/policy-rc.d" <<<$'#!/bin/sh\nexit 101'
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

# test_inside [PATH…]: bin/test in the box, all of it or these.
test_inside() {
    part_of inside sh -c "cd redislock && bin/test $* && $no_processes"
}

# Complains of processes and files that a run left behind in the box. (Its processes would have ended with it: so it is
# the run itself that lists them at its end.)
leaves_nothing() {
    # The counters of a machine, and the segment of its local turns, outlive the processes that they are of.
    prints_nothing 'left behind' find "$box/tmp" "$box/var/tmp" "$box/dev/shm" -mindepth 1 \
        ! -path "$box/dev/shm/redislock.metrics.*" ! -path "$box/dev/shm/redislock.local.*"
    prints_nothing 'left behind in the tree' git -c safe.directory='*' -C "$box/root/redislock" status --porcelain --ignored \
        -- ':!.build' ':!tests/core/bin'
}

# no_processes: a script that fails if anything but itself still runs in the box.
no_processes='for p in /proc/[0-9]*; do n=$(cat $p/comm 2>/dev/null) || continue; case $n in sh|cat|bash) ;; *) echo "still running: $n"; exit 1 ;; esac; done'
