# The tests of the extension; in the long form those that take long, one after another.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
short=(tests valgrind cluster)
long=(valgrind cluster sentinel kills metrics)

# All of them, on this machine's PHP and Redis, all built by clang, whose sanitizers find other things than gcc's: with gcc they
# run in other steps.
tests() {
    need clang promtool prometheus-client
    CC=clang suite part_of "$root/bin/test"
}

# Under valgrind, without an error or a definite leak. These folders take, keep and release locks in every way; in the long form it
# is all tests, also where requests end badly and processes fork. And what one test counts by valgrind.
valgrind() {
    cd "$root"
    if [ "$form" = long ]; then
        part_of bin/test --valgrind
    else
        part_of bin/test --valgrind tests/php/attach tests/php/lock tests/php/unlock
        part_of bin/test tests/php/unlock_all/instructions_grow_with_the_number.phpt
    fi
}

# Tests of one server, on a cluster of three masters too, as far as they can: tests/php/cluster/not_on_a_cluster.txt. In the short
# form those that take little time; in the long one all, on one master too, and then sixteen processes, while slots move, nodes come
# and go, and masters are replaced: planned, killed, stopped, cut off. Two never hold at once, but where the lock was lost with its
# master, which is counted.
cluster() {
    if [ "$form" = short ]; then
        suite part_of "$root/bin/test" --short --cluster "$root"/tests/php/{lock,lock_all,backlog,cache}
        return
    fi
    part_of "$root/bin/test" --cluster
    part_of "$root/bin/test" --no-build --cluster=1
    reports '^[a-z, ]+: [0-9]+ failovers' --no-build --jobs=1 "$root"/tests/php/cluster/load_*.phpt
}

# Masters go away under sixteen processes, again and again, by real sentinels: planned, killed, stopped, cut off, alone with half of
# the clients. Two never hold at once, but where the lock was lost with its master, which is counted. One run has the sentinels'
# default timeouts, 30 s until a master counts as down. At the end: how long clients were without a lock.
sentinel() {
    reports '^[a-z ]+: [0-9]+ failovers' --jobs=1 "$root"/tests/php/sentinel/load_*.phpt
    "$root/tests/php/sentinel/recovery" --no-build --rounds=7 || complain 'recovery'
    "$root/tests/php/sentinel/recovery" --no-build --rounds=3 --defaults --down-after=5000 || complain 'recovery, with the defaults'
}

# Holders, waiters, workers of a queue, PHP-FPM's requests and servers die by the hundred, and never do two have the lock, nor is a
# task done twice; a renewed lease outlasts a minute of faults; and no notice of a loss breaks off random code where it has to end.
# One test at a time, since each has many processes.
kills() {
    export REDISLOCK_TEST_SECONDS=60 REDISLOCK_TEST_TASKS=100000 REDISLOCK_TEST_KILLS=300 REDISLOCK_TEST_FPM_REQUESTS=60000 \
        REDISLOCK_TEST_FORKS=10000
    cd "$root"
    reports . --jobs=1 tests/php/fpm/twenty_thousand_requests_that_count.phpt tests/php/lock_all/random_triples_of_ten_names.phpt \
        tests/php/queue/killed_workers_*.phpt tests/php/{redlock/contend_*,restart/*}.phpt \
        tests/php/wait/{killed_at_random_never_two,sixteen_processes_never_overlap}.phpt \
        tests/php/renew/{fpm_twenty_thousand_requests,section_stays_locked_through_faults}.phpt \
        tests/php/tls/forks_while_leases_are_renewed.phpt tests/php/on_loss/random_code_is_never_broken_off.phpt
    # The same of the core's threads.
    need clang hiredis make server
    core_tests CC=clang SANITIZE=thread ONLY=contenders
}

# The numbers of a php-fpm pool under nginx and wrk, scraped ten times a second, and the same while its workers are killed.
metrics() {
    need nginx wrk promtool
    reports . "$root/tests/php/metrics/scraped_under_load.phpt"
}

# reports PATTERN [OPTION…] FILE…: these tests in their long forms, each of which has to report numbers in a line of this pattern.
# (The overlaps that were excused, each of which is told too, are too many to show.)
reports() {
    export REDISLOCK_TEST_LONG=1 REDISLOCK_TEST_REPORT=$scratch/report
    : >"$REDISLOCK_TEST_REPORT"
    part_of "$root/bin/test" "${@:2}"
    grep -E "$1" "$REDISLOCK_TEST_REPORT" || true
    [ "$(grep -cE "$1" "$REDISLOCK_TEST_REPORT")" -ge "$(printf '%s\n' "${@:2}" | grep -c '\.phpt$')" ] || complain 'a test told no numbers'
}

steps "$@"
