# The Laravel bridge in Laravel 11 and 12, with the extension and without it.
set -euo pipefail

exec "$(dirname "$0")/../../bridges/laravel/tests/run" 11 12
