# The real core in a simulated world, where one seed draws each history: the fixed seeds, also under the sanitizers, and a
# minute of new ones. And whether the simulated Redis is like the real one, and the bugs that can be planted still apply. Hours
# of seeds, and whether the planted bugs are found: the nightly sim.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

cd "$root"
need cc clang make hiredis openssl lua5.1 server php git
part_of tests/sim/run
# On one processor: the tests of other gates measure times meanwhile.
part_of tests/sim/run --seconds=60 --jobs=1
part_of tests/sim/planted/check
part_of tests/sim/differential --sequences=2000
finish_counted
