# The numbers of a php-fpm pool under nginx and wrk, scraped ten times a second, and the same while its workers are killed. The
# numbers that the run has come to stand at the end.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need nginx wrk promtool
export REDISLOCK_TEST_LONG=1 REDISLOCK_TEST_REPORT=$scratch/report
: >"$REDISLOCK_TEST_REPORT"
part_of "$root/bin/test" "$root/tests/metrics/scraped_under_load.phpt"
cat "$REDISLOCK_TEST_REPORT"
[ -s "$REDISLOCK_TEST_REPORT" ] || complain 'the test told no numbers'
finish_counted
