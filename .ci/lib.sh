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

# finish [LINE]: ends the gate, with this last line; where something was wrong, with a list of it, since the outputs between
# may be long.
finish() {
    if [ ${#bad[@]} -gt 0 ]; then
        say 'What is wrong:'
        printf -- '- %s\n' "${bad[@]}" >&2
    fi
    [ $# -eq 0 ] || printf '%s\n' "$*"
    exit $((${#bad[@]} > 0))
}

# at_most SECONDS: what takes that long at most where programs start fast may take three times as long elsewhere.
at_most() {
    echo $(($1 * ($(starts_slowly && echo 3 || echo 1))))
}

# What a gate has counted that runs tests.
passed=0 failed=0 skipped=0

# add_counts LOG: adds what a run of tests says at its end; it may say nothing, if it ended badly.
add_counts() {
    local line
    local -a words
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$1" | tail -n 1 || true)
    read -ra words <<<"${line//,/}"
    passed=$((passed + ${words[0]:-0})) failed=$((failed + ${words[2]:-0})) skipped=$((skipped + ${words[4]:-0}))
}

# part_of COMMAND…: what it printed is shown and counted.
part_of() {
    "$@" >"$scratch/part" 2>&1 </dev/null || complain "${*/#"$root/"/} fails"
    cat "$scratch/part"
    add_counts "$scratch/part"
}

# suite COMMAND…: what runs all tests mostly waits: beside it other gates can compute, but not a second one of its kind.
suite() {
    local status=0
    exec 6>>"${REDISLOCK_CI_SUITE:-/dev/null}"
    [ -z "${REDISLOCK_CI_SUITE:-}" ] || flock 6
    # What it starts must not keep the lock.
    "$@" 6>&- || status=$?
    exec 6>&-
    return "$status"
}

# Ends such a gate. Its tests count; whatever else is wrong counts as one.
finish_counted() {
    local line
    [ ${#bad[@]} -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
    line="$passed passed, $failed failed"
    [ "$skipped" -eq 0 ] || line+=", $skipped skipped"
    finish "$line"
}

# not_here REASON: ends a gate that this machine cannot hold.
not_here() {
    say "skipped: $*"
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

# What a generator wrote is none of ours to format.
hand_written_c() {
    tracked '*.c' '*.h' | grep -vxF -f <("$root/bin/sources" generated)
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

# options_for_glue COMPILER: fills `glue_options` with those for the sources that see PHP; PHP's headers are to be added.
options_for_glue() {
    read -ra glue_options <<<"-std=gnu11 -Wall -Wextra -Werror -fvisibility=hidden -DHAVE_REDISLOCK_TLS -DCOMPILE_DL_REDISLOCK \
        -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1 -I$root -I$root/src $(pkg-config --cflags hiredis openssl)"
    # clang sees the parameters that PHP's macros bring, and that a handler need not use.
    [ "$1" = gcc ] || glue_options+=(-Wno-unused-parameter)
}

# each FILE… -- COMMAND…: the command with each file behind it, on all processors; fails if one of them did.
each() {
    local -a files=()
    while [ "$1" != -- ]; do
        files+=("$1")
        shift
    done
    shift
    [ ${#files[@]} -gt 0 ] || return
    # xargs would end at a status of 255, PHP's.
    printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(cores)" sh -c '"$@" || exit 1' - "$@"
}
