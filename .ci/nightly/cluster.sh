# Redis Cluster. Tests of one server on a cluster, of three masters and of one, as far as they can:
# tests/cluster/not_on_a_cluster.txt. Then sixteen processes, while slots move, nodes come and go, and masters are replaced: planned,
# killed, stopped, cut off. Two never hold at once, but where the lock was lost with its master, which is counted.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

part_of "$root/bin/test" --cluster
part_of "$root/bin/test" --no-build --cluster=1

export REDISLOCK_TEST_LONG=1 REDISLOCK_TEST_REPORT=$scratch/report
: >"$REDISLOCK_TEST_REPORT"
tests=("$root"/tests/cluster/load_*.phpt)
part_of "$root/bin/test" --no-build --jobs=1 "${tests[@]}"
# The overlaps that were excused, each of which is told, are too many to show.
grep -E '^[a-z, ]+: [0-9]+ failovers' "$REDISLOCK_TEST_REPORT" || true
[ "$(grep -cE '^[a-z, ]+: [0-9]+ failovers' "$REDISLOCK_TEST_REPORT")" -ge ${#tests[@]} ] || complain 'a test told no numbers'

finish_counted
