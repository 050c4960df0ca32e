# The real core in a simulated world, where one seed draws each history: the fixed seeds, also under the sanitizers, and a
# while of those behind them. And whether the simulated Redis is like the real one, and the bugs that can be planted still
# apply. Hours of seeds, and whether the planted bugs are found: the nightly sim.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

cd "$root"
need cc clang make hiredis openssl lua5.1 server php git
part_of tests/sim/run
# On one processor: the tests of other gates measure times meanwhile. From a seed that stays: a search over new seeds still
# finds something in one of some fifty thousand histories, mostly a lock that stays for its lease. The nightly sim does that.
export REDISLOCK_SIM_SEED=10001
part_of tests/sim/run --seconds=40 --jobs=1
part_of tests/sim/planted/check
part_of tests/sim/differential --sequences=2000
finish_counted
