# The module exports nothing but get_module, and takes from PHP and its libraries only what it may.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need nm
build
exported=$(nm -D --defined-only "$extension" | awk '{ print $3 }')
[ "$exported" = get_module ] || complain "exported: $exported"

# What the linker would only find missing when the code is reached: with lazy binding a misspelt name loads well.
env LD_BIND_NOW=1 "$php" -n -d "extension=$extension" -r 'exit(extension_loaded("redislock") ? 0 : 1);' ||
    complain 'does not load with all names bound'

finish
