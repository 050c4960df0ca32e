# Holders that are stopped within a section that only the lock protects, in a MariaDB: 200 rounds of each variant, or so many as
# the argument says.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

exec "$root/tests/mariadb/run" --rounds="${1:-200}"
