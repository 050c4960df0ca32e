# An hour of new seeds in the simulated world, on every processor, or so many seconds as the argument says; and whether the
# simulator finds the bugs that are planted. The simulated Redis beside the real one for many sequences, and whether that test
# finds what is planted in it.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

cd "$root"
need cc clang make hiredis openssl lua5.1 server php git
first=$(((RANDOM << 15 | RANDOM) + 1))
echo "sequences from $first on"
part_of tests/sim/differential --seed="$first" --sequences=100000 --seconds=600
part_of tests/sim/differential --cluster --seed="$first" --sequences=100000 --seconds=300
part_of tests/sim/differential --planted
part_of tests/sim/run --seconds="${1:-3600}"
part_of tests/sim/run --planted
finish_counted
