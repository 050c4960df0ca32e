# The README followed to the letter in a minimal Debian 12: from the clone to a protected decrement in five minutes. Then a
# build as Debian's packages are built, from a tarball, where hiredis is missing first.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"

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

new_root bookworm
block 'apt-get update' >"$scratch/install"
block 'cat >sell.php' >"$box/srv/sell"
[ "$(wc -l <"$scratch/install")" -ge 5 ] && [ -s "$box/srv/sell" ] || complain 'the README has no way from nothing to a lock'

began=$SECONDS
timed 'git clone' clone_inside
# Where the server begins, all goes on in one session, in a network of its own: port 6379 may be somebody's outside.
while IFS= read -r line; do
    [[ $line != redis-cli* ]] || break
    timed "${line%% *} …" inside sh -ec "cd redislock && $line"
done <"$scratch/install"
inside apt-get install -qy --no-install-recommends iproute2 >/dev/null 2>&1
{
    echo 'ip link set lo up; cd redislock'
    sed -n '/^redis-cli/,$p' "$scratch/install"
    printf 'mkdir /srv/shop; cd /srv/shop\n. /srv/sell\nredis-cli shutdown nosave\n'
} >"$box/srv/try"
timed 'a lock' inside unshare --net sh -e /srv/try
cat "$scratch/log"
[ $((SECONDS - began)) -lt 300 ] || complain "it took $((SECONDS - began)) s"
grep -qx ' *10 sold' "$scratch/log" && grep -qx ' *20 sold out' "$scratch/log" || complain 'not 10 sold and 20 sold out'

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
