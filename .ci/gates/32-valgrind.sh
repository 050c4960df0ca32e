# The extension under valgrind: no error, no definite leak. These folders go most paths of the glue; all tests: the nightly
# valgrind.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

cd "$root"
mapfile -t tests < <(find tests/{arguments,attach,inspect,lock,synchronized,unlock} -name '*.phpt' | sort)
exec bin/test --valgrind "${tests[@]}"
