# Tests of one server run on a cluster of three masters too, as far as they can: tests/cluster/not_on_a_cluster.txt. Here are those
# that take little time, the rest is the nightly cluster.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

suite "$root/bin/test" --short --cluster "$root"/tests/{lock,lock_all,backlog,cache}
