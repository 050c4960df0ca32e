# This checkout and the last two releases side by side on one Redis, and one after the other under PHP-FPM. The cases that take
# long, and those on a cluster, are the nightly upgrade.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

"$root/tests/upgrade/run"
