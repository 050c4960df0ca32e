# shellcheck shell=bash
# What the gates share. To be sourced after `set -euo pipefail`.

# shellcheck source=../bin/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../bin/lib.sh"

# shellcheck disable=SC2034 # for chroot.sh
# Where debootstrap's results are kept, so that the next run need not fetch them. It works without.
cache=${XDG_CACHE_HOME:-/var/cache}/redislock-ci

bad=()

# complain TEXT…: notes a violation. A gate goes on, so that one run tells all.
complain() {
    say "$*"
    bad+=("$*")
}

# Ends the gate; where something was wrong, with a list of it, since the outputs between may be long.
finish() {
    [ ${#bad[@]} -gt 0 ] || exit 0
    say "What is wrong:"
    printf -- '- %s\n' "${bad[@]}" >&2
    [ $# -eq 0 ] || printf '%s\n' "$*"
    exit 1
}

# not_here REASON: ends a gate that this machine cannot hold.
not_here() {
    say "$*"
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
}

# Fills `scratch` with a folder that goes when the gate ends.
make_scratch() {
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/redislock-gate.XXXXXX")
    trap 'rm -rf "$scratch"' EXIT
    trap 'exit 143' TERM
    trap 'exit 130' INT
}

# The files that git knows, one a line, of the given patterns.
tracked() {
    git -C "$root" ls-files -- "$@" | while IFS= read -r file; do
        [ ! -f "$root/$file" ] || printf '%s\n' "$file"
    done
}

# The header that a generator wrote is none of ours to format.
hand_written_c() {
    tracked '*.c' '*.h' | grep -v -x -e redislock_arginfo.h -e redisqueue_arginfo.h -e redis_scripts.c -e redis_scripts.h
}

version() {
    sed -n 's/^#define PHP_REDISLOCK_VERSION "\(.*\)"$/\1/p' "$root/php_redislock.h"
}

# The C compilers that all must pass.
compilers() {
    printf 'gcc\nclang\n'
}

# php_includes: PHP's own headers as system headers, since they do not pass -Wextra.
php_includes() {
    "$php_config" --includes | sed 's/-I/-isystem /g'
}
