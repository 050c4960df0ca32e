# The extension under valgrind: no error, no definite leak. The folders taken here go every path of the glue and most of
# the core; `bin/test --valgrind` runs all.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

cd "$root"
folders=()
for folder in tests/*/; do
    case $folder in
        # Not PHP; not the extension's code; php-fpm is not under valgrind; milliseconds and hung servers, slow as it is.
        tests/core/ | tests/fuzz/ | tests/inc/ | tests/readme/ | tests/migrate/ | tests/fpm/ | tests/wait/ | tests/budget/) ;;
        *) folders+=("$folder") ;;
    esac
done
exec bin/test --valgrind "${folders[@]}"
