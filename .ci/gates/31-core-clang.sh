# The C core's tests under clang's sanitizers: it finds other things than gcc's, which bin/test uses. Those for threads go
# side by side with the others: the tests mostly wait.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need clang hiredis make server
make -s -C "$root/tests/core" check JOBS=2 CC=clang SANITIZE=thread >"$scratch/thread" 2>&1 </dev/null &
make -s -C "$root/tests/core" check JOBS=2 CC=clang SANITIZE=address,undefined >"$scratch/memory" 2>&1 </dev/null || complain 'for memory'
wait $! || complain 'for threads'
for log in "$scratch/thread" "$scratch/memory"; do
    awk '!/^ok / || /# failed at first/' "$log"
    add_counts "$log"
done

finish_counted
