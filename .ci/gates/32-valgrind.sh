# The extension under valgrind: no error, no definite leak. The folders here take every path of the glue and most of the
# core's; `bin/test --valgrind` runs all.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

cd "$root"
folders=()
for folder in tests/{arguments,errors,expire,lifecycle,lock,synchronized,unlock}; do
    [ ! -d "$folder" ] || folders+=("$folder")
done
exec bin/test --valgrind "${folders[@]}"
