# The core and its protocol, without PHP. (The core's tests under the address and undefined behaviour sanitizers are a part of
# bin/test.)
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
short=(core_threads fuzz sim model)
long=(threads fuzz sim model)

# Its tests under the thread sanitizer.
core_threads() {
    need clang hiredis make server
    core_tests JOBS=4 CC=clang SANITIZE=thread
}

# Its tests that have threads, under helgrind and DRD; and whether these find a race that is planted: without the mutex in
# look_at_table(), the renewing thread and the holders race. An invariant would say so first.
threads() {
    need cc hiredis openssl make server valgrind
    mkdir "$scratch/planted"
    cd "$root"
    tracked bin lua lock_core.c lock_core.h src tests/core | xargs cp --parents -t "$scratch/planted"
    sed -i '/^static bool look_at_table(/,/^}/ { /threads_lock(/d; /threads_unlock(/d }' "$scratch/planted/src/lock/renewer.c"
    ! cmp -s src/lock/renewer.c "$scratch/planted/src/lock/renewer.c" || die 'not planted'
    sed -i 's/ -DREDISLOCK_INVARIANTS//' "$scratch/planted/tests/core/Makefile"
    for tool in helgrind drd; do
        core_tests TOOL="$tool" JOBS="$(cores)"
        holds "$tool does not find a race that is planted" finds_race "$tool"
    done
    # A check fails where valgrind is too slow for it; then the rest of that test was not looked at.
    [ $((8 * skipped)) -le "$passed" ] || complain "$skipped tests were broken off"
}

# finds_race TOOL
finds_race() {
    ! make -s -C "$scratch/planted/tests/core" check TOOL="$1" JOBS="$(cores)" ONLY=renewal_keeps >"$scratch/race" 2>&1 </dev/null &&
        grep -qE 'Possible data race|Conflicting (load|store)' "$scratch/race" || { cat "$scratch/race" && return 1; }
}

# What it reads from a server and from its user, fuzzed for a short while: an unlucky change shows at once. In the long form ten
# minutes for each target; and whether the fuzzer would find a bug at all.
fuzz() {
    need clang hiredis openssl
    [ "$form" = short ] || part_of "$root/tests/fuzz/run" --planted
    part_of "$root/tests/fuzz/run" "$(longer 15 600)"
}

# The core in a simulated world, where one seed draws each history: the fixed seeds, also under the sanitizers, and a minute of
# others; and the bugs that can be planted still apply. In the long form an hour of new seeds on every processor, and whether the
# simulator finds these bugs; and the simulated Redis beside the real one for many sequences, and whether that test finds what is
# planted in it.
sim() {
    cd "$root"
    need cc clang make hiredis openssl lua5.1 server php git
    if [ "$form" = long ]; then
        first=$(((RANDOM << 15 | RANDOM) + 1))
        echo "sequences from $first on"
        part_of tests/sim/differential --seed="$first" --sequences=100000 --seconds=600
        part_of tests/sim/differential --cluster --seed="$first" --sequences=100000 --seconds=300
        part_of tests/sim/differential --planted
        part_of tests/sim/run --seconds=3600
        part_of tests/sim/run --planted
        return
    fi
    part_of tests/sim/run
    # The others follow from what is tested: they are new with each change, and the same whenever that is tested again. On one
    # processor, since other steps measure times meanwhile.
    REDISLOCK_SIM_SEED=$((10001 + $(git ls-files -s '*.c' '*.h' '*.lua' | cksum | cut -d' ' -f1)))
    export REDISLOCK_SIM_SEED
    part_of tests/sim/run --seconds=60 --jobs=1
    part_of tests/sim/planted/check
    part_of tests/sim/differential --sequences=2000
    part_of tests/sim/differential --cluster --sequences=200
}

# The models of the protocol hold in small configurations, and without any one of their rules they do not. In the long form larger
# configurations: every state, or of the largest ones nearly every state.
model() {
    if [ "$form" = long ]; then
        part_of "$root/docs/model/run" --long
    else
        part_of "$root/docs/model/run"
        part_of "$root/docs/model/run" --planted
    fi
}

steps "$@"
