# The C code is as .clang-format wants it. That leaves comments as they are, so their lines are measured here.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

# The version counts: each formats a little otherwise. 14 is Debian 12's.
formatter=clang-format-14
is_there "$formatter" || apt-cache show "$formatter" >/dev/null 2>&1 || not_here "$formatter is not to be had here"
need "$formatter"
cd "$root"
hand_written_c | xargs "$formatter" --dry-run -Werror

long=$(hand_written_c | LC_ALL=C.UTF-8 xargs grep -nE '^.{129,}' || true)
[ -z "$long" ] || complain "lines of more than 128 columns: $long"

finish
