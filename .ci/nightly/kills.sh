# The long forms of the tests that kill: holders, waiters, workers of a queue, PHP-FPM's requests and servers die by the hundred,
# and never do two have the lock, nor is a task done twice; a renewed lease outlasts a minute of faults; and no notice of a loss
# breaks off random code where it has to end. One test at a time, since each has many processes. The numbers that they have come to stand at the end.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

export REDISLOCK_TEST_LONG=1 REDISLOCK_TEST_SECONDS=60 REDISLOCK_TEST_TASKS=100000 REDISLOCK_TEST_KILLS=300 \
    REDISLOCK_TEST_FPM_REQUESTS=60000 REDISLOCK_TEST_FORKS=10000 REDISLOCK_TEST_REPORT=$scratch/report
cd "$root"
: >"$REDISLOCK_TEST_REPORT"
tests=(tests/fpm/twenty_thousand_requests_that_count.phpt tests/renew/fpm_twenty_thousand_requests.phpt
    tests/lock_all/random_triples_of_ten_names.phpt tests/queue/killed_workers_*.phpt tests/redlock/contend_*.phpt
    tests/restart tests/wait/killed_at_random_never_two.phpt tests/wait/sixteen_processes_never_overlap.phpt
    tests/tls/forks_while_leases_are_renewed.phpt tests/renew/section_stays_locked_through_faults.phpt
    tests/on_loss/random_code_is_never_broken_off.phpt)
"$root/bin/test" --jobs=1 "${tests[@]}" >"$scratch/tests" 2>&1 || complain 'bin/test'
cat "$scratch/tests"
add_counts "$scratch/tests"
cat "$REDISLOCK_TEST_REPORT"
[ "$(wc -l <"$REDISLOCK_TEST_REPORT")" -ge "$(find "${tests[@]}" -name '*.phpt' | wc -l)" ] || complain 'a test told no numbers'

# The same of the core's threads.
need clang hiredis make server
make -s -C tests/core check CC=clang SANITIZE=thread ONLY=contenders >"$scratch/core" 2>&1 </dev/null || complain 'the core'
cat "$scratch/core"
add_counts "$scratch/core"

finish_counted
