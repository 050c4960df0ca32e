# On a PHP with threads (ZTS) and for debugging: the phpt suite without a leak, but for what takes long; the handlers of signals
# once more, with pcntl loaded behind the module and not in front of it; requests in real threads; and the same with the thread
# sanitizer.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"

zts_php
cd "$root"
# While the suite of another gate has its turn, what needs none.
part_of tests/zts/threads
part_of tests/zts/threads --sanitizer
# Not the C core again, which knows no PHP.
mapfile -t folders < <(find tests -name '*.phpt' -printf '%h\n' | sort -u)
suite part_of bin/test --short "${folders[@]}"
part_of env REDISLOCK_TEST_PCNTL=behind bin/test --no-build tests/on_loss/signal_*.phpt tests/renew/signals_*.phpt tests/wait/handler*.phpt
finish_counted
