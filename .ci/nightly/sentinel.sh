# Masters go away under sixteen processes, again and again, by real sentinels: planned, killed, stopped, cut off, alone with half of
# the clients. Two never hold at once, but where the lock was lost with its master, which is counted. One run has the sentinels'
# default timeouts, 30 s until a master counts as down. At the end: how long clients were without a lock.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

export REDISLOCK_TEST_LONG=1 REDISLOCK_TEST_REPORT=$scratch/report
: >"$REDISLOCK_TEST_REPORT"
tests=("$root"/tests/sentinel/load_*.phpt)
part_of "$root/bin/test" --jobs=1 "${tests[@]}"
# The overlaps that were excused, each of which is told, are too many to show.
grep -E '^[a-z ]+: [0-9]+ failovers' "$REDISLOCK_TEST_REPORT" || true
[ "$(grep -cE '^[a-z ]+: [0-9]+ failovers' "$REDISLOCK_TEST_REPORT")" -ge ${#tests[@]} ] || complain 'a test told no numbers'

"$root/tests/sentinel/recovery" --no-build --rounds=7 || complain 'recovery'
"$root/tests/sentinel/recovery" --no-build --rounds=3 --defaults --down-after=5000 || complain 'recovery, with the defaults'

finish_counted
