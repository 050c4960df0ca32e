# The C core's tests under clang's sanitizers: it finds other things than gcc's, which bin/test uses. Those for threads go
# side by side with the others: the tests mostly wait.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need clang hiredis make server
make -s -C "$root/tests/core" check JOBS=2 CC=clang SANITIZE=thread >"$scratch/threads" 2>&1 </dev/null &
status=0
make -s -C "$root/tests/core" check JOBS=2 CC=clang SANITIZE=address,undefined >"$scratch/memory" 2>&1 </dev/null || status=$?
wait $! || status=$?

passed=0 failed=0
for log in "$scratch/threads" "$scratch/memory"; do
    grep -v '^ok ' "$log" || true
    read -ra words <<<"$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1 | tr -d ,)"
    passed=$((passed + ${words[0]:-0})) failed=$((failed + ${words[2]:-0}))
done
[ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
echo "$passed passed, $failed failed"
exit "$status"
