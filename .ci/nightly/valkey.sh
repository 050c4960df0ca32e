# All tests in a minimal Debian 13 on Valkey 8, as a user with no more rights than the README asks for.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"

new_root trixie
clone_inside
inside_env+=(REDISLOCK_TEST_SERVER=valkey-server REDISLOCK_TEST_ACL=1)
whole_test "$@"
