# Tests of one server on a cluster, of three masters and of one, as far as they can: tests/cluster/not_on_a_cluster.txt.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

part_of "$root/bin/test" --cluster
part_of "$root/bin/test" --no-build --cluster=1
finish_counted
