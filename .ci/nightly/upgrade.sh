# This checkout and the last two releases side by side on one Redis, on a cluster, and one after the other under PHP-FPM: all cases.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

part_of "$root/tests/upgrade/run" --long
part_of "$root/tests/upgrade/run" --cluster --long

finish_counted
