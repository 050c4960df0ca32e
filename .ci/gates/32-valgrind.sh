# The extension under valgrind: no error, no definite leak. These folders go every path of the glue and most of the core;
# `bin/test --valgrind` runs all, also what ends requests and forks, which takes a quarter of an hour.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

cd "$root"
folders=()
for folder in arguments attach binary fencing force_unlock inspect lock options synchronized unlock unlock_all; do
    [ ! -d "tests/$folder" ] || folders+=("tests/$folder")
done
exec bin/test --valgrind "${folders[@]}"
