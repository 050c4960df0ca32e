# The Laravel bridge in the newest Laravel 11, 12 and 13, with the extension and without it; the flash sale in Laravel.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
need pgrep

status=0
"$root/bridges/laravel/tests/run" 11 12 13 >"$scratch/tests" || status=$?
cat "$scratch/tests"
add_counts "$scratch/tests"
[ "$status" -eq 0 ] || complain "the bridge's tests exited with $status"

# With the packages that the tests have installed.
if [ -e "$root/.build/laravel-12/autoload.php" ]; then
    mkdir "$scratch/tmp"
    TMPDIR=$scratch/tmp COMPOSER_VENDOR_DIR=$root/.build/laravel-12 "$root/examples/laravel-flash-sale/run" || complain 'the flash sale'
    left=$(ls -A "$scratch/tmp")$(pgrep -f "$scratch/tmp" || true)
    [ -z "$left" ] || complain "the flash sale left $left"
else
    complain 'the flash sale was not tried: there is no Laravel 12'
fi

finish_counted
