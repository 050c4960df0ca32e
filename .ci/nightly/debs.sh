# Debian's packages, on Debian 12 and 13: without a word of lintian's; a lock by the one line in a bare system; and a purge that
# leaves all as it was.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
# shellcheck source=../deb.sh
. "$(dirname "$0")/../deb.sh"

for suite in bookworm trixie; do
    new_root "$suite"
    clone_inside
    inside apt-get update -q
    if make_packages --lintian && try_packages "$suite"; then
        compare_with_never "$suite"
    fi
    rm -rf "$box" "$scratch/deb" "${scratch:?}/$suite" "$scratch/bare"
done
finish
