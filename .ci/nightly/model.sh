# The models of the protocol in larger configurations: every state, or of the largest ones nearly every state.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need spin gcc
exec "$root/docs/model/run" --long
