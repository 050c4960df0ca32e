# The C core's tests under clang's sanitizers: it finds other things than gcc's, which bin/test uses.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need clang hiredis make server
CC=clang exec "$root/bin/test" tests/core
