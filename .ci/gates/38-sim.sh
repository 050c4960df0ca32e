# The real core in a simulated world, where one seed draws each history: the fixed seeds, also under the sanitizers, and a
# minute of others. And whether the simulated Redis is like the real one, and the bugs that can be planted still apply. Hours
# of seeds, and whether the planted bugs are found: the nightly sim.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

cd "$root"
need cc clang make hiredis openssl lua5.1 server php git
part_of tests/sim/run
# The others follow from what is tested: they are new with each change, and the same whenever that is tested again. On one
# processor, since the tests of other gates measure times meanwhile.
REDISLOCK_SIM_SEED=$((10001 + $(git ls-files -s '*.c' '*.h' '*.lua' | cksum | cut -d' ' -f1)))
export REDISLOCK_SIM_SEED
part_of tests/sim/run --seconds=60 --jobs=1
part_of tests/sim/planted/check
part_of tests/sim/differential --sequences=2000
part_of tests/sim/differential --cluster --sequences=200
finish_counted
