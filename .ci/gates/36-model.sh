# The models of the protocol hold in small configurations, and without any one of their rules they do not.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need spin gcc
part_of "$root/docs/model/run"
part_of "$root/docs/model/run" --planted
finish_counted
