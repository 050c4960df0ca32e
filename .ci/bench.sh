# shellcheck shell=bash disable=SC2154 # root and scratch are lib.sh's and the gate's
# A run of the benchmark, and what its report must have. To be sourced after lib.sh and make_scratch.

# bench_with OPTION…: the report and its summary go to scratch, and nothing else may be left.
bench_with() {
    local left
    export TMPDIR=$scratch/tmp
    mkdir "$TMPDIR"
    "$root/bin/bench" "$@" --out="$scratch/report" >"$scratch/summary" || complain "bin/bench exited with $?"
    cat "$scratch/summary"
    left=$(ls -A "$TMPDIR")$(pgrep -f "$TMPDIR" || true)
    [ -z "$left" ] || complain "it left $left"
    check_report "$scratch/report/RESULTS.md"
}

# check_report REPORT: it has a number where one belongs. How good the numbers are is not asked here: the machine does other
# things too.
check_report() {
    local report=$1 what plot
    grep -q '^Targets' "$scratch/summary" || complain 'no summary'
    # What no machine may lack: what was measured of us, in every workload that needs nothing but Redis.
    for what in '^# Side by side' '^## Targets' 'Where a peer is better' '### Unix socket' '### Through the proxy' 'Hand-off' \
        '### [0-9]* wait for one holder' '### [0-9]* arrive at once' '## Many names' '## Redlock' 'raw loop, hiredis'; do
        grep -q "$what" "$report" || complain "nothing of '$what' in the report"
    done
    [ "$(grep -c '^| \*\*redislock\*\* | [0-9]' "$report")" -ge 12 ] || complain 'too few numbers of ours in the report'
    for plot in "${report%/*}"/plots/*.svg; do
        grep -q '</svg>' "$plot" && ! grep -qi 'nan' "$plot" || complain "$plot is no plot"
    done
}
