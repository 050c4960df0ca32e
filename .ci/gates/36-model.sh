# The models of the protocol hold in small configurations, and without any one of their rules they do not.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need spin gcc
for how in '' --planted; do
    # shellcheck disable=SC2086 # no argument, or one
    "$root/docs/model/run" $how >"$scratch/log" 2>&1 || complain "docs/model/run $how"
    cat "$scratch/log"
    add_counts "$scratch/log"
done
finish_counted
