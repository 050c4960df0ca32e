# The benchmark runs, and its report has a number where one belongs. Only peers that need no download; all of them: the nightly
# bench.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../bench.sh
. "$(dirname "$0")/../bench.sh"
need pgrep

began=$SECONDS
bench_with --tiny --peers=class-a,class-b,class-d
[ $((SECONDS - began)) -le "$(at_most 120)" ] || complain "it took $((SECONDS - began)) s"

finish
