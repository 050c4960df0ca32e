# Fuzzes what the core reads from a server and from its user, for a short while: an unlucky change shows at once.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need clang hiredis openssl
exec "$root/tests/fuzz/run" 15
