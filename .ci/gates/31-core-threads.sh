# The C core's tests under the thread sanitizer.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need clang hiredis make server
make -s -C "$root/tests/core" check JOBS=4 CC=clang SANITIZE=thread >"$scratch/threads" 2>&1 </dev/null || complain 'the tests'
awk '!/^ok / || /# failed at first/' "$scratch/threads"
add_counts "$scratch/threads"

finish_counted
