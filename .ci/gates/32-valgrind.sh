# The extension under valgrind: no error, no definite leak. These folders take, keep and release locks in every way; all tests:
# the nightly valgrind. And what one test counts by it.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

cd "$root"
bin/test --valgrind tests/attach tests/lock tests/unlock
exec bin/test tests/unlock_all/instructions_grow_with_the_number.phpt
