# The module exports nothing but get_module, and takes from PHP and its libraries only what it may; also where the processor has
# no 64-bit atomics.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need nm gcc
build
make_scratch
exported=$(nm -D --defined-only "$extension" | awk '{ print $3 }')
[ "$exported" = get_module ] || complain "exported: $exported"

# What the linker would only find missing when the code is reached: with lazy binding a misspelt name loads well.
loads() {
    env LD_BIND_NOW=1 "$php" -n -d "extension=$1" -r 'exit(extension_loaded("redislock") ? 0 : 1);'
}
loads "$extension" || complain 'does not load with all names bound'

# Some 32-bit processors have no instructions for 64-bit atomics: there gcc calls a library, which has to be linked. This option
# has it do so everywhere.
cp "$root/config.m4" "$root/Makefile.frag" "$scratch"
copy_sources "$scratch"
run_quietly phpize in_folder "$scratch" "$phpize"
CC=gcc CFLAGS='-O0 -fno-inline-atomics' run_quietly configure in_folder "$scratch" \
    ./configure --with-php-config="$(command -v "$php_config")"
run_quietly make in_folder "$scratch" make -j"$(cores)"
loads "$scratch/modules/redislock.so" || complain 'does not load where atomics are calls of a library'

finish
