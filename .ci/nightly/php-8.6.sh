# All tests on PHP 8.6 and Valkey 9, as Debian's moving suites have them.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../newer-php.sh
. "$(dirname "$0")/../newer-php.sh"

test_on_newest 8.6 valkey-server "$@"
