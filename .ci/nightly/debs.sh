# Debian's packages, on Debian 12 and 13: without a word of lintian's; a lock by the one line in a bare system; and a purge that
# leaves all as it was. Then an upgrade to a next version, and the way back, while PHP-FPM serves requests that lock.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
# shellcheck source=../deb.sh
. "$(dirname "$0")/../deb.sh"
# shellcheck source=../readme.sh
. "$(dirname "$0")/../readme.sh"

for suite in bookworm trixie; do
    new_root "$suite"
    clone_inside
    inside apt-get update -q
    if make_packages --lintian && make_next_packages && try_packages "$suite"; then
        compare_with_never "$suite"
        try_upgrade "$suite"
    fi
    rm -rf "${scratch:?}/$suite" "$scratch"/{deb,next,bare,never,upgrade}
done
finish
