# shellcheck shell=bash disable=SC2154,SC2034 # root, box and scratch are lib.sh's and the gate's
# The way from nothing to a lock that docs/install.md shows, followed to the letter. To be sourced after chroot.sh.

# block WORDS: the block of commands there that has these words.
block() {
    awk -v words="$1" '/^```sh$/ { text = ""; inside = 1; next } /^```$/ { if (inside && index(text, words)) printf "%s", text; inside = 0 }
        inside { text = text $0 "\n" }' "$root/docs/install.md"
}

# timed WHAT COMMAND…: and how long it took.
timed() {
    local began=$SECONDS
    "${@:2}" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; complain "$1"; }
    printf '%3d s  %s\n' $((SECONDS - began)) "$1"
}

# pasted: runs what comes in at a shell on a terminal. A command that reads its terminal, as apt-get does, takes what follows it.
pasted() {
    {
        declare -f inside
        declare -p box inside_env
        echo 'inside sh -c "cd by-readme && exec bash -i"'
    } >"$scratch/shell"
    timeout "$(at_most 280)" script -qec "bash '$scratch/shell'" /dev/null
}

# follow_readme: in the box, with a clone of its own, which stays as /root/by-readme.
follow_readme() {
    local began=$SECONDS
    need script
    block 'apt-get install -y php-dev' >"$scratch/install"
    block 'cat >sell.php' >"$scratch/sell"
    [ "$(wc -l <"$scratch/install")" -ge 5 ] && [ -s "$scratch/sell" ] || complain 'docs/install.md has no way from nothing to a lock'

    timed 'git clone' inside git clone -q redislock by-readme
    # Where the server begins, all goes on in a network of its own: port 6379 may be somebody's outside.
    inside_env=(TERM=xterm DEBIAN_FRONTEND=) # so debconf may ask, as it does on a user's machine
    { sed '/^redis-cli/,$d' "$scratch/install" && echo exit; } >"$scratch/paste"
    timed 'packages and build, as pasted' pasted <"$scratch/paste"
    inside_env=(TERM=dumb)
    inside apt-get install -qy --no-install-recommends iproute2 >/dev/null 2>&1
    {
        echo 'ip link set lo up; cd by-readme'
        sed -n '/^redis-cli/,$p' "$scratch/install"
        echo 'mkdir /srv/shop; cd /srv/shop'
        cat "$scratch/sell"
        echo 'redis-cli shutdown nosave'
    } >"$box/srv/try"
    timed 'a lock' inside unshare --net sh -e /srv/try
    cat "$scratch/log"
    [ $((SECONDS - began)) -lt "$(at_most 300)" ] || complain "the way from nothing to a lock took $((SECONDS - began)) s"
    grep -qx ' *10 sold' "$scratch/log" && grep -qx ' *20 sold out' "$scratch/log" || complain 'not 10 sold and 20 sold out'
    inside phpdismod redislock
}
