# Chaos in all mixes with new seeds, which are printed, until a million locks were granted; and whether bugs that are
# planted in logs, workers and the extension are found. The argument is another number of grants.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

wanted=${1:-1000000} grants=0
# A run that grants next to nothing must not go on for ever; the rest of a nightly gate's time is for what is planted.
until=$((SECONDS + 5400))
first=$(((RANDOM << 15 | RANDOM) % 900000000 + 1))
for ((seed = first; grants < wanted && failed == 0; seed++)); do
    if [ "$SECONDS" -ge "$until" ]; then
        complain "only $grants grants in $SECONDS s"
        break
    fi
    "$root/bin/chaos" --seed="$seed" --seconds=60 >"$scratch/chaos" 2>&1 || complain "seed $seed"
    cat "$scratch/chaos"
    add_counts "$scratch/chaos"
    # The list of outcomes is folded, so the number may stand in the next line.
    grants=$((grants + $(tr -s '\n ' ' ' <"$scratch/chaos" | grep -oE '\bgrants [0-9]+' | awk '{ sum += $2 } END { print sum + 0 }')))
    echo "$grants grants so far"
done
part_of "$root/tests/chaos/planted" --core

finish_counted
