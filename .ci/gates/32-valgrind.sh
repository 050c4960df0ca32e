# The extension under valgrind: no error, no definite leak. These folders take, keep and release locks in every way; all tests:
# the nightly valgrind.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

cd "$root"
exec bin/test --valgrind tests/attach tests/lock tests/unlock
