# Chaos for a short while: four mixes of faults with a seed that stays, two at a time since they mostly wait; and
# whether the checker finds planted bugs. All mixes, with new seeds: the nightly chaos.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

# One build for all.
build server ext-posix ext-pcntl

# Process groups of their own, since an interrupt leaves running what is in the background.
pids=()
trap 'for pid in "${pids[@]}"; do kill -- "-$pid"; done 2>/dev/null || true; rm -rf "$scratch"' EXIT
set -m
for pair in single,queue redlock3,cache; do
    "$root/bin/chaos" --no-build --seed=37 --seconds=15 --mix="$pair" >"$scratch/$pair" 2>&1 </dev/null &
    pids+=($!)
done
set +m
for pid in "${pids[@]}"; do
    wait "$pid" || complain 'a mix of faults'
done
pids=()
for pair in single,queue redlock3,cache; do
    cat "$scratch/$pair"
    add_counts "$scratch/$pair"
done
"$root/tests/chaos/planted" >"$scratch/planted" 2>&1 || complain 'a planted bug was not found'
cat "$scratch/planted"
add_counts "$scratch/planted"

finish_counted
