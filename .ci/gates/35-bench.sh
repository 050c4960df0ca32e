# The benchmark runs, and its report has a number where one belongs. How good the numbers are is not asked here: the machine
# does other things too. Only peers that need no download.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
need pgrep

export TMPDIR=$scratch/tmp
mkdir "$TMPDIR"
began=$SECONDS
"$root/bin/bench" --tiny --peers=class-a,class-b,class-d --out="$scratch/report" >"$scratch/summary" || complain "bin/bench exited with $?"
cat "$scratch/summary"
[ $((SECONDS - began)) -le 120 ] || complain "it took $((SECONDS - began)) s"
grep -q '^Must hold' "$scratch/summary" || complain 'no summary'

report=$scratch/report/RESULTS.md
# What no machine may lack: what was measured of us, in every workload that needs nothing but Redis.
for what in 'Must hold' 'Where a peer is better' '### Unix socket' '### Through the proxy' 'Hand-off' \
    '### 8 wait for one holder' '### 20 arrive at once' '## Many names' '## Redlock' 'raw loop, hiredis'; do
    grep -q "$what" "$report" || complain "nothing of '$what' in the report"
done
[ "$(grep -c '^| \*\*redislock\*\* | [0-9]' "$report")" -ge 12 ] || complain 'too few numbers of ours in the report'
for plot in "$scratch"/report/plots/*.svg; do
    grep -q '</svg>' "$plot" && ! grep -qi 'nan' "$plot" || complain "$plot is no plot"
done
left=$(ls -A "$TMPDIR")$(pgrep -f "$TMPDIR" || true)
[ -z "$left" ] || complain "it left $left"

finish
