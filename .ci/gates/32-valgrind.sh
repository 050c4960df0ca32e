# The extension under valgrind: no error, no definite leak. These folders go every path of the glue and most of the core;
# `bin/test --valgrind` runs all, also what ends requests and forks, which takes a quarter of an hour.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

cd "$root"
# Not the round trips of 1 000 names: what reads them is that slow here, and the read timeout then ends them.
mapfile -t tests < <(find tests/{attach,arguments,binary,fencing,force_unlock,inspect,lock,options,synchronized,unlock,unlock_all} \
    -name '*.phpt' ! -name '*1000_names*' ! -name '*cold_script*' | sort)
exec bin/test --valgrind "${tests[@]}"
