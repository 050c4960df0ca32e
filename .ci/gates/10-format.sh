# The C code is as .clang-format wants it.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

# The version counts: each formats a little otherwise. 14 is Debian 12's.
formatter=clang-format-14
is_there "$formatter" || apt-cache show "$formatter" >/dev/null 2>&1 || not_here "$formatter is not to be had here"
need "$formatter"
cd "$root"
hand_written_c | xargs "$formatter" --dry-run -Werror
