# shellcheck shell=bash disable=SC2154,SC2034 # root, box and scratch are lib.sh's
# The way from nothing to a lock that README.md and docs/install.md show, and the upgrade of docs/upgrading.md, followed to the
# letter. To be sourced after debian.sh.

# block WORDS [PAGE [LANGUAGE]]: the block of commands there, or in this language, that has these words.
block() {
    awk -v words="$1" -v opens="\`\`\`${3:-sh}" '$0 == opens { text = ""; inside = 1; next } /^```$/ { if (inside && index(text, words)) printf "%s", text; inside = 0 }
        inside { text = text $0 "\n" }' "$root/${2:-docs/install.md}"
}

# timed WHAT COMMAND…: and how long it took.
timed() {
    local began=$SECONDS
    "${@:2}" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; complain "$1"; }
    printf '%3d s  %s\n' $((SECONDS - began)) "$1"
}

# pasted: runs what comes in at a shell on a terminal. A command that reads its terminal, as apt-get does, takes what follows it.
# How long it takes is measured, for a machine that does nothing else: so it goes before the other steps. (A terminal begins a session,
# and Linux may weigh sessions against each other, and only within them processes by their nice values.)
pasted() {
    {
        declare -f inside
        declare -p box inside_env
        echo '{ echo -15 >/proc/self/autogroup; renice -n -15 $$; } >/dev/null 2>&1'
        echo 'inside sh -c "cd by-readme && exec bash -i"'
    } >"$scratch/shell"
    timeout "$(at_most 280)" script -qec "bash '$scratch/shell'" /dev/null
}

# follow_readme: in the box, with a clone of its own, which stays as /root/by-readme.
follow_readme() {
    local began=$SECONDS
    need script
    block 'apt-get install -y php-dev' README.md >"$scratch/readme"
    block 'apt-get install -y php-dev' >"$scratch/install"
    block 'cat >sell.php' >"$scratch/sell"
    [ "$(wc -l <"$scratch/readme")" -ge 3 ] || complain 'README.md has no block that installs it'
    [ "$(wc -l <"$scratch/install")" -ge 5 ] && [ -s "$scratch/sell" ] || complain 'docs/install.md has no way from nothing to a lock'

    timed 'git clone' inside git clone -q redislock by-readme
    rm -rf "$box"/var/lib/apt/lists/* # as a new machine has none
    inside_env=(TERM=xterm DEBIAN_FRONTEND=) # so debconf may ask, as it does on a user's machine
    { cat "$scratch/readme" && echo 'exit $?'; } >"$scratch/paste"
    timed "the README's block, as pasted" pasted <"$scratch/paste"
    grep -q '^redislock support => enabled' "$scratch/log" || complain "the README's block gives no PHP that has it"
    # Where the server begins, all goes on in a network of its own: port 6379 may be somebody's outside.
    { sed '/^redis-cli/,$d' "$scratch/install" && echo exit; } >"$scratch/paste"
    timed 'packages and build, as pasted' pasted <"$scratch/paste"
    inside_env=(TERM=dumb)
    inside apt-get install -qy --no-install-recommends iproute2 >/dev/null 2>&1
    {
        echo 'ip link set lo up; cd by-readme'
        sed -n '/^redis-cli/,$p' "$scratch/install"
        echo 'mkdir /srv/shop; cd /srv/shop'
        cat "$scratch/sell"
        # Nobody else may reach it: 18EB is its port, and an address of 0 is every one of the machine.
        echo 'grep -q " 0100007F:18EB " /proc/net/tcp && ! grep -qE " 0+:18EB " /proc/net/tcp /proc/net/tcp6 || exit 1'
        echo 'redis-cli shutdown nosave'
    } >"$box/srv/try"
    timed 'a lock' inside unshare --net sh -e /srv/try
    cat "$scratch/log"
    [ $((SECONDS - began)) -lt "$(at_most 300)" ] || complain "the way from nothing to a lock took $((SECONDS - began)) s"
    grep -qx ' *10 sold' "$scratch/log" && grep -qx ' *20 sold out' "$scratch/log" || complain 'not 10 sold and 20 sold out'
    inside phpdismod redislock
}

# begin_upgrade: what a script needs that upgrades the box, in $box/srv/upgrade; and systemctl does what the unit of PHP-FPM says.
begin_upgrade() {
    install /dev/stdin "$box/usr/local/bin/systemctl" <<'SH'
#!/bin/sh
[ "$1" = reload ] || exit 1
MAINPID=$(cat "/run/php/$2.pid")
eval "$(sed -n 's/^ExecReload=//p' "/lib/systemd/system/$2.service")"
SH
    cat >"$box/srv/upgrade" <<'SH'
set -e
fail() {
    echo "$*"
    tail -n 5 /var/log/php8.2-fpm.log || true
    exit 1
}
master() { cat /run/php/php8.2-fpm.pid; }
workers() { cat "/proc/$(master)/task/$(master)/children"; }
# Whether each worker has the file that has the module's name now.
are_new() {
    [ -n "$(workers)" ] || return 1
    for worker in $(workers); do
        grep -q '/redislock.so$' "/proc/$worker/maps" || return 1
        ! grep -q '/redislock.so (deleted)$' "/proc/$worker/maps" || return 1
    done
}
become_new() {
    for try in $(seq 100); do ! are_new 2>/dev/null || return 0; sleep 0.1; done
    fail "after $1, the workers have another module"
}
# In the foreground, as the unit starts it: otherwise each reload would make another process the master. In a subshell, so that a
# script that waits for what it has started does not wait for PHP-FPM.
start_fpm() {
    mkdir -p /run/php
    ($(sed -n 's/^ExecStart=//p' /lib/systemd/system/php8.2-fpm.service) &)
    become_new 'the start'
}
SH
}

# follow_upgrade: in the box, which has php-fpm8.2, with the clone that follow_readme() has left.
follow_upgrade() {
    local page=docs/upgrading.md
    inside phpenmod redislock
    begin_upgrade
    {
        echo 'start_fpm; cd by-readme'
        block 'sed -i' "$page"
        echo 'php-fpm8.2 -tt 2>&1 | grep -q "process_control_timeout = 30s" || fail "the time is not set"; become_new "a reload"'
        block 'make install' "$page"
        echo 'become_new "make install"'
        block 'cp modules/redislock.so' "$page"
        echo '! are_new || fail "it was new before the reload"; systemctl reload php8.2-fpm; become_new "mv"'
        block 'cp -p /root/redislock.before' "$page"
        echo 'become_new "the way back"'
    } >>"$box/srv/upgrade"
    [ "$(grep -c '^php-fpm8.2 -t && systemctl reload' "$box/srv/upgrade")" -eq 3 ] || complain "$page lacks commands"
    timed 'an upgrade, and the way back' inside sh /srv/upgrade
    inside phpdismod redislock
}
