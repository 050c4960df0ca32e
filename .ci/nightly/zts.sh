# Requests in real threads, many of them, also with the thread sanitizer; and whether these tests are any good.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"

zts_php
cd "$root"
part_of tests/zts/threads --long
part_of tests/zts/threads --long --sanitizer
part_of tests/zts/threads --planted
finish_counted
