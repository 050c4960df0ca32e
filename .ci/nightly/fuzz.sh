# Fuzzes each target for ten minutes, or for so many seconds as the argument says; and whether the fuzzer would find a bug at all.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need clang hiredis openssl
"$root/tests/fuzz/run" --planted >"$scratch/planted" 2>&1 || complain 'a planted bug was not found'
cat "$scratch/planted"
add_counts "$scratch/planted"
"$root/tests/fuzz/run" "${1:-600}" >"$scratch/fuzz" 2>&1 || complain "found: see $root/.build/fuzz/found"
cat "$scratch/fuzz"
add_counts "$scratch/fuzz"
finish_counted
