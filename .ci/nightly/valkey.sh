# All tests in a minimal Debian 13 on Valkey 8, as a user with no more rights than the README asks for; and some of one server on
# clusters of Valkey 8 and Redis 8.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"

new_root trixie
clone_inside
inside_env+=(REDISLOCK_TEST_SERVER=valkey-server REDISLOCK_TEST_ACL=1)
test_inside "$@"
for server in redis valkey; do
    inside_env=(TERM=dumb "REDISLOCK_TEST_SERVER=$server-server")
    test_inside --no-build --cluster tests/{lock,lock_all,backlog,cache}
done
leaves_nothing
finish_counted
