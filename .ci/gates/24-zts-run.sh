# On a PHP with threads (ZTS) and for debugging: the phpt suite without a leak; requests in real threads; and the same with
# the thread sanitizer. ZTS_LONG=1 takes more threads and requests, and shows that planted bugs are found.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"
make_scratch

grep -q '^ID=debian$' /etc/os-release || not_here 'such a PHP is built from a source package of Debian'
zts_php
unset PHP PHPIZE REDISLOCK_TEST_FPM
export PHP_CONFIG=$zts/bin/php-config
say "$("$zts/bin/php" -n -v | head -n 1)"

passed=0 failed=0 skipped=0

# part COMMAND…: adds up what its last line says.
part() {
    local status=0
    local -a words
    "$@" >"$scratch/part" 2>&1 </dev/null || status=$?
    cat "$scratch/part"
    read -ra words <<<"$(tail -n 1 "$scratch/part" | grep -E '^[0-9]+ passed, [0-9]+ failed' | tr -d ,)"
    if [ ${#words[@]} -eq 0 ] || { [ "$status" -ne 0 ] && [ "${words[2]}" -eq 0 ]; }; then
        echo "not ok $* ended with $status"
        words=(0 passed 1 failed)
    fi
    passed=$((passed + words[0])) failed=$((failed + words[2])) skipped=$((skipped + ${words[4]:-0}))
}

cd "$root"
# Not the C core again, which knows no PHP.
mapfile -t folders < <(find tests -name '*.phpt' -printf '%h\n' | sort -u)
part bin/test "${folders[@]}"
options=()
[ -z "${ZTS_LONG:-}" ] || options=(--long)
part tests/zts/threads ${options[@]+"${options[@]}"}
part tests/zts/threads --sanitizer ${options[@]+"${options[@]}"}
[ -z "${ZTS_LONG:-}" ] || part tests/zts/threads --planted

printf '%d passed, %d failed' "$passed" "$failed"
[ "$skipped" -eq 0 ] || printf ', %d skipped' "$skipped"
printf '\n'
[ "$failed" -eq 0 ]
