# All tests in a minimal Debian 12 with git alone: PHP 8.2, hiredis 0.14, Redis 7.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"

new_root bookworm
whole_test "$@"
