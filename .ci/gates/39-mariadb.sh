# Holders that are stopped within a section that only the lock protects, in a MariaDB: with the lock alone updates are lost, with a
# fence they are not. It leaves nothing behind. 200 rounds: the nightly mariadb.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
need pgrep
export TMPDIR=$scratch/tmp
mkdir "$TMPDIR"

part_of "$root/tests/mariadb/run" --rounds=24
left=$(ls -A "$TMPDIR")
[ -z "$left" ] || complain "it left $left"
left=$(pgrep -f "$TMPDIR" || true)
[ -z "$left" ] || complain "it left processes: $left"
finish_counted
