# All tests, on this machine's PHP and Redis, all built by clang, whose sanitizers find other things than gcc's: with gcc they
# run in the other gates.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need clang promtool prometheus-client
CC=clang suite "$root/bin/test"
