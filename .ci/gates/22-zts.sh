# The sources compile for a PHP with threads, and share nothing between them.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need php phpize cc clang hiredis openssl
exec "$root/tests/zts/run"
