# A minimal Debian 12 with git alone: the README from nothing to a lock in five minutes; then all tests, with PHP 8.2,
# hiredis 0.14 and Redis 7.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
# shellcheck source=../readme.sh
. "$(dirname "$0")/../readme.sh"

new_root bookworm
clone_inside
follow_readme
whole_test "$@"
