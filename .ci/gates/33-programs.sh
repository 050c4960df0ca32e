# What a visitor runs first: the demo and the examples, and the benchmark.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
short=(demo bench)
long=(bench)

# processor_time: fills `spent` with the processor time, in s, of what this step has started and seen end.
processor_time() {
    times >"$scratch/times"
    spent=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$scratch/times")
}

# spent_at_most SECONDS: of processor time, since it was `before`. How long it took would say more of what else runs here.
spent_at_most() {
    processor_time
    [ $((spent - before)) -le "$(at_most "$1")" ] || complain "it took $((spent - before)) s of processor time"
}

# The demo oversells without the lock, holds with it, says so by its exit status, and leaves nothing behind.
demo() {
    need script pgrep
    private_tmp
    processor_time && before=$spent
    "$root/bin/demo" >"$scratch/plain" 2>&1 || complain "bin/demo exited with $?"
    spent_at_most 60
    cat "$scratch/plain"
    grep -q '^A flash sale: 100 items' "$scratch/plain" || complain 'its first lines are lost where stdout and stderr are one file'
    grep -q '^  oversold by [1-9]' "$scratch/plain" || complain 'the race did not show without the lock'
    grep -q '^  sold 100 of 100, refused 1900:' "$scratch/plain" || complain 'not 100 sold and 1900 refused with the lock'
    grep -q $'[\r\033]' "$scratch/plain" && complain 'terminal codes in plain output'
    tidy 'a run'

    # On a terminal there is a bar that moves.
    script -qec "'$root/bin/demo'" "$scratch/terminal" >/dev/null </dev/null || complain 'it fails on a terminal'
    [ "$(grep -o $'\r' "$scratch/terminal" | wc -l)" -ge 20 ] && grep -q $'\033' "$scratch/terminal" || complain 'no progress bar on a terminal'
    tidy 'a run on a terminal'

    # Broken off in the middle, by a signal to the script alone.
    for signal in INT TERM; do
        # Else it would start with INT ignored, as every background job of a script does.
        set -m
        # What the last one printed must not be taken for this one's.
        : >"$scratch/broken"
        "$root/bin/demo" --buyers=200000 >"$scratch/broken" 2>&1 &
        demo=$!
        set +m
        for ((i = 0; i < 600; i++)); do
            grep -q 'Without a lock' "$scratch/broken" && break
            sleep 0.05
        done
        sleep 1
        kill -0 "$demo" || complain "it ended before $signal"
        kill -"$signal" "$demo"
        status=0
        wait "$demo" || status=$?
        [ "$status" -gt 128 ] || complain "$signal: exit status $status"
        tidy "a run that $signal broke off"
    done

    # A lock that does not lock: the exit status must tell.
    build server
    php_load pdo pdo_sqlite
    cat >"$scratch/no-lock.php" <<'PHP'
<?php
class RedisLock
{
    public function __construct(string $server) {}
    public function lock(string $name, float $timeout): bool { return true; }
    public function unlock(string $name): bool { return true; }
}
PHP
    mkdir "$scratch/sale"
    php_args+=(-d "auto_prepend_file=$scratch/no-lock.php")
    status=0
    PHP_OPTIONS=$(printf '%s\n' "${php_args[@]}") "$php" "${php_args[@]}" "$root/examples/flash-sale/sale.php" "$scratch/sale" none >"$scratch/fake" || status=$?
    [ "$status" -eq 1 ] && grep -q 'did not hold' "$scratch/fake" || complain "a lock that does not lock passes with $status"

    # The example of a queue: each unpaid order is cancelled once, also when a worker dies.
    start_redis "$scratch"
    php_load posix pcntl pdo pdo_sqlite
    "$php" "${php_args[@]}" -d "extension=$extension" "$root/examples/order-timeout/demo.php" "unix://$scratch/redis.sock" || complain "examples/order-timeout exited with $?"
    end_group "$redis"
    tidy 'the example of a queue'

    # The sale in plain PHP: the order of lock and transaction decides.
    "$root/examples/plain-php/run" || complain "examples/plain-php exited with $?"
    tidy 'the sale in plain PHP'
}

# The benchmark runs, and its report has a number where one belongs. In the short form only with peers that need no download; in the
# long one the full benchmark with all peers.
bench() {
    need pgrep
    private_tmp
    processor_time && before=$spent
    options=(--tiny '--peers=class-a,class-b,class-d')
    [ "$form" = short ] || options=(--full)
    "$root/bin/bench" "${options[@]}" --out="$scratch/report" >"$scratch/summary" || complain "bin/bench exited with $?"
    cat "$scratch/summary"
    tidy 'the benchmark'
    check_report "$scratch/report/RESULTS.md"
    if [ "$form" = short ]; then
        spent_at_most 120
    else
        missing=$(grep -e '^missing: ' "$scratch/summary" || grep '^Not measured: ' "$scratch/report/RESULTS.md" || true)
        [ -z "$missing" ] || complain "not with all peers: $missing"
    fi
}

# check_report REPORT: it has a number where one belongs. How good the numbers are is not asked here: the machine does other
# things too.
check_report() {
    local report=$1 what plot
    grep -q '^Targets' "$scratch/summary" || complain 'no summary'
    # What no machine may lack: what was measured of us, in every workload that needs nothing but Redis.
    for what in '^# Side by side' '^## Targets' 'Where a peer is better' '### Unix socket' '### Through the proxy' 'Hand-off' \
        '### [0-9]* wait for one holder' '### [0-9]* arrive at once' '## Many names' '## Redlock' '## Local turns' 'raw loop, hiredis'; do
        grep -q "$what" "$report" || complain "nothing of '$what' in the report"
    done
    [ "$(grep -c '^| \*\*redislock\*\* | [0-9]' "$report")" -ge 12 ] || complain 'too few numbers of ours in the report'
    for plot in "${report%/*}"/plots/*.svg; do
        grep -q '</svg>' "$plot" && ! grep -qi 'nan' "$plot" || complain "$plot is no plot"
    done
}

steps "$@"
