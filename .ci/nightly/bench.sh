# The full benchmark with all peers; its report has a number where one belongs.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../bench.sh
. "$(dirname "$0")/../bench.sh"
need pgrep

bench_with --full
missing=$(grep -e '^missing: ' "$scratch/summary" || grep '^Not measured: ' "$scratch/report/RESULTS.md" || true)
[ -z "$missing" ] || complain "not with all peers: $missing"

finish
