# The full benchmark with all peers, or another of its forms as the argument says; its report has a number where one belongs.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../bench.sh
. "$(dirname "$0")/../bench.sh"
need pgrep

bench_with "${1:---full}"
missing=$(grep -e '^missing: ' "$scratch/summary" || grep '^Not measured: ' "$scratch/report/RESULTS.md" || true)
[ -z "$missing" ] || complain "not with all peers: $missing"

finish
