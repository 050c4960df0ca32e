# The README followed to the letter in a minimal Debian 13 and a minimal Debian 12: from the clone to a protected decrement in
# five minutes. Then a build as Debian's packages are built, from a tarball, where hiredis is missing first.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
need script

# block WORDS: the README's block of commands that has these words.
block() {
    awk -v words="$1" '/^```sh$/ { text = ""; inside = 1; next } /^```$/ { if (inside && index(text, words)) printf "%s", text; inside = 0 }
        inside { text = text $0 "\n" }' "$root/README.md"
}

# timed WHAT COMMAND…: and how long it took.
timed() {
    local began=$SECONDS
    "${@:2}" >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; complain "$1"; }
    printf '%3d s  %s\n' $((SECONDS - began)) "$1"
}

block 'apt-get update' >"$scratch/install"
block 'cat >sell.php' >"$scratch/sell"
[ "$(wc -l <"$scratch/install")" -ge 5 ] && [ -s "$scratch/sell" ] || complain 'the README has no way from nothing to a lock'

# pasted: runs what comes in at a shell on a terminal. A command that reads its terminal, as apt-get does, takes what follows it.
pasted() {
    {
        declare -f inside
        declare -p box inside_env
        echo 'inside sh -c "cd redislock && exec bash -i"'
    } >"$scratch/shell"
    timeout 280 script -qec "bash '$scratch/shell'" /dev/null
}

# from_nothing SUITE: to a lock, in a new root.
from_nothing() {
    local began=$SECONDS
    new_root "$1"
    timed "$1: git clone" clone_inside
    # Where the server begins, all goes on in a network of its own: port 6379 may be somebody's outside.
    inside_env=(TERM=xterm DEBIAN_FRONTEND=) # so debconf may ask, as it does on a user's machine
    { sed '/^redis-cli/,$d' "$scratch/install" && echo exit; } >"$scratch/paste"
    timed "$1: from nothing, as pasted" pasted <"$scratch/paste"
    inside_env=(TERM=dumb)
    inside apt-get install -qy --no-install-recommends iproute2 >/dev/null 2>&1
    {
        echo 'ip link set lo up; cd redislock'
        sed -n '/^redis-cli/,$p' "$scratch/install"
        echo 'mkdir /srv/shop; cd /srv/shop'
        cat "$scratch/sell"
        echo 'redis-cli shutdown nosave'
    } >"$box/srv/try"
    timed "$1: a lock" inside unshare --net sh -e /srv/try
    cat "$scratch/log"
    [ $((SECONDS - began)) -lt 300 ] || complain "$1: it took $((SECONDS - began)) s"
    grep -qx ' *10 sold' "$scratch/log" && grep -qx ' *20 sold out' "$scratch/log" || complain "$1: not 10 sold and 20 sold out"
}

from_nothing trixie
from_nothing bookworm

# As a package is built: from a tarball, with Debian's own flags, into another root.
inside apt-get remove -qy libhiredis-dev >/dev/null 2>&1
mkdir "$box/srv/tarball"
git -C "$root" archive HEAD | tar -C "$box/srv/tarball" -x
cat >"$box/srv/package" <<'SH'
set -e
cd /srv/tarball
eval "$(dpkg-buildflags --export=sh)"
phpize
./configure
make
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

finish
