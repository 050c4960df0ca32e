# Chaos for a short while: four mixes of faults with a seed that stays; and whether the checker finds planted bugs. All
# mixes, with new seeds: the nightly chaos.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

# One build for all.
build server ext-posix ext-pcntl

# Side by side, since they mostly wait. Process groups of their own, since an interrupt leaves running what is in the
# background.
pids=()
trap 'for pid in "${pids[@]}"; do kill -- "-$pid"; done 2>/dev/null || true; rm -rf "$scratch"' EXIT
set -m
for pair in single,queue redlock3,cache; do
    "$root/bin/chaos" --no-build --seed=37 --seconds=15 --mix="$pair" >"$scratch/$pair" 2>&1 </dev/null &
    pids+=($!)
done
"$root/tests/chaos/planted" >"$scratch/planted" 2>&1 </dev/null &
pids+=($!)
set +m
for pid in "${pids[@]}"; do
    wait "$pid" || complain 'a mix of faults, or a planted bug that was not found'
done
pids=()
for log in single,queue redlock3,cache planted; do
    cat "$scratch/$log"
    add_counts "$scratch/$log"
done

finish_counted
