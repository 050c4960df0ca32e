# shellcheck shell=bash
# What the gates share. A gate sources it, has a function for each of its steps, lists those of its short and of its long form, and
# ends with `steps "$@"`.
set -euo pipefail

# shellcheck source=../bin/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../bin/lib.sh"

# shellcheck disable=SC2034 # for debian.sh and php.sh
# Where is kept what takes long to get, so that the next run has it. It works without.
cache=${XDG_CACHE_HOME:-/var/cache}/redislock-ci

# It goes when the gate ends.
scratch=$(mktemp -d "${TMPDIR:-/tmp}/redislock-gate.XXXXXX")
at_exit 'rm -rf "$scratch"'

short=() long=() form=short # the gate's steps in either form, and which one this run is
wrong=0                     # what a step has complained of
passed=0 failed=0 skipped=0 # tests that a step has counted

# --- Steps ------------------------------------------------------------------------------------------------------------

# steps [--long] [STEP…]: ends a gate. Runs these steps, or all of the short or of the long form, one after another. Each has a shell
# and a `scratch` of its own. The last line counts.
steps() {
    local step status began sum=(0 0 0) counts
    [ "${1:-}" != --long ] || { form=long && shift; }
    [ $# -gt 0 ] || [ "$form" = long ] || set -- "${short[@]}"
    [ $# -gt 0 ] || set -- "${long[@]}"
    for step; do
        declare -F "$step" >/dev/null || die "there is no step $step"
        began=$SECONDS
        mkdir "$scratch/$step"
        # Not as part of a condition, where a command that fails would not end it.
        set +e
        (run_step "$scratch/$step" "$step")
        status=$?
        set -e
        # A step that broke off has counted nothing.
        read -ra counts 2>/dev/null <"$scratch/$step.counts" || counts=(0 1 0)
        [ "$status" -eq 0 ] || [ "${counts[1]}" -gt 0 ] || counts[1]=1
        sum=($((sum[0] + counts[0])) $((sum[1] + counts[1])) $((sum[2] + counts[2])))
        rm -rf "${scratch:?}/$step"
        [ $# -eq 1 ] || say "$(told "${counts[@]}"): $step, $((SECONDS - began)) s"
    done
    told "${sum[@]}"
    exit $((sum[1] > 0))
}

# run_step FOLDER STEP: runs the step in its own shell; the folder is its `scratch`.
run_step() {
    local scratch=$1
    set -e
    trap '[ ! -e "$scratch/part" ] || cat "$scratch/part"; exit 143' TERM
    trap 'exit 130' INT
    "$2"
    finish
}

# finish: ends a step. Whatever is wrong beside its tests counts as one, and so does a step that has none.
finish() {
    [ "$wrong" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
    [ $((passed + failed + skipped)) -gt 0 ] || passed=1
    echo "$passed $failed $skipped" >"$scratch.counts"
    exit $((failed > 0))
}

# complain TEXT…: notes what is wrong. A step goes on, so that one run tells all.
complain() {
    say "wrong: $*"
    wrong=$((wrong + 1))
}

# prints_nothing TEXT COMMAND…: complains of what the command prints.
prints_nothing() {
    local printed
    printed=$("${@:2}" 2>&1) || true
    [ -z "$printed" ] || complain "$1: $printed"
}

# longer SHORT LONG: which of them this run's form has.
longer() {
    [ "$form" = long ] && echo "$2" || echo "$1"
}

# not_here REASON: ends a step that this machine cannot hold.
not_here() {
    skip "$*"
    finish
}

# skip REASON: of what this machine cannot hold.
skip() {
    say "skipped: $*"
    skipped=$((skipped + 1))
}

# holds TEXT COMMAND…: counts a test, which is whether the command succeeds; the text says that it does not.
holds() {
    if "${@:2}"; then
        passed=$((passed + 1))
    else
        complain "$1"
        failed=$((failed + 1))
    fi
}

# at_most SECONDS: what takes that long at most where programs start fast may take three times as long elsewhere.
at_most() {
    echo $(($1 * ($(starts_slowly && echo 3 || echo 1))))
}

# add_counts LOG
add_counts() {
    local good bad left
    read -r good bad left <<<"$(counts_in "$1")"
    passed=$((passed + ${good:-0})) failed=$((failed + ${bad:-0})) skipped=$((skipped + ${left:-0}))
}

# part_of COMMAND…: what it printed is shown and counted.
part_of() {
    "$@" >"$scratch/part" 2>&1 </dev/null || complain "${*/#"$root"/} fails: $(tail -n 1 "$scratch/part")"
    cat "$scratch/part"
    add_counts "$scratch/part"
}

# core_tests OPTION…: the tests of the C core, of which only what is not as it should be is shown.
core_tests() {
    make -s -C "$root/tests/core" check "$@" >"$scratch/core" 2>&1 </dev/null || complain "the tests of the core, $*"
    awk '!/^ok / || /# failed at first/' "$scratch/core"
    add_counts "$scratch/core"
}

# suite COMMAND…: what runs all tests mostly waits: beside it other steps can compute, but at most one more of its kind.
suite() {
    local status=0
    if [ -n "${REDISLOCK_CI_SUITE:-}" ]; then
        exec 6>>"$REDISLOCK_CI_SUITE.1"
        flock -n 6 || { exec 6>>"$REDISLOCK_CI_SUITE.2" && flock 6; }
    fi
    # What it starts must not keep the lock.
    "$@" 6>&- || status=$?
    exec 6>&-
    return "$status"
}

# private_tmp: from here on what is made in $TMPDIR is seen by tidy().
private_tmp() {
    export TMPDIR=$scratch/tmp
    mkdir "$TMPDIR"
}

# tidy WHAT: neither files nor processes of it may be left there.
tidy() {
    prints_nothing "$1 left files" ls -A "$TMPDIR"
    prints_nothing "$1 left processes" pgrep -af "$TMPDIR"
}

# --- What is looked at ------------------------------------------------------------------------------------------------

# The files that git knows, one a line, of the given patterns.
tracked() {
    git -C "$root" ls-files -- "$@" | while IFS= read -r file; do
        [ ! -f "$root/$file" ] || printf '%s\n' "$file"
    done
}

# each COMMAND…: the command with each file that comes in behind it, on all processors; fails if one of them did, or none came.
each() {
    local files
    files=$(cat)
    [ -n "$files" ] || die 'no files'
    # xargs would end at a status of 255, PHP's.
    xargs -d '\n' -n 1 -P "$(cores)" sh -c '"$@" || exit 1' - "$@" <<<"$files"
}

# symfony_project FOLDER VERSION [PHP-VERSION]: makes a copy of the bridge with its dependencies, for this PHP or another,
# in FOLDER/bridges/symfony.
symfony_project() {
    local folder=$1/bridges/symfony version=$2 other_php=${3:-}
    local -a composer=(env COMPOSER_ALLOW_SUPERUSER=1 composer --no-interaction --working-dir="$folder/tests")
    mkdir -p "$1/bridges" "$1/tests/php"
    cp -R "$root/bridges/symfony" "$folder"
    cp -R "$root/tests/php/inc" "$1/tests/php/inc"
    [ -z "$other_php" ] || "${composer[@]}" config platform.php "$other_php"
    run_quietly "composer with Symfony $version" \
        "${composer[@]}" update --ignore-platform-req=ext-redislock --with "symfony/symfony:~$version.0" || return
    # All of Symfony in one package, the only way to get its rate limiter here, is accepted by FrameworkBundle at the root alone.
    sed -i "s|'name' => '__root__'|'name' => 'symfony/symfony'|" "$folder/vendor/composer/installed.php"
}

# phpunit_of SYMFONY COMMAND…: runs PHPUnit, shows it, and counts what it passed; nothing if one failed.
phpunit_of() {
    local count
    "${@:2}" >"$scratch/phpunit" 2>&1 || complain "PHPUnit with Symfony $1"
    cat "$scratch/phpunit"
    count=$(sed -nE 's/^OK \(([0-9]+) tests?, .*/\1/p' "$scratch/phpunit")
    passed=$((passed + ${count:-0}))
}
