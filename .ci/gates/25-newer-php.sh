# What of the extension sees PHP compiles without a warning for the versions that are yet to come to Debian, without threads and
# with them. The tests run on them in .ci/nightly.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
# shellcheck source=../newer-php.sh
. "$(dirname "$0")/../newer-php.sh"

have apt-get && have dpkg-deb || not_here 'these packages are for Debian'
need gcc clang hiredis openssl
cd "$root"
mapfile -t glue < <(tracked redislock.c 'php_*.c')
[ "${#glue[@]}" -ge 2 ] || complain 'found no sources'
read -ra libraries <<<"$(pkg-config --cflags hiredis openssl)"
flags=(-fsyntax-only -std=gnu11 -Wall -Wextra -Werror -fvisibility=hidden "${libraries[@]}" -DHAVE_REDISLOCK_TLS
    -DCOMPILE_DL_REDISLOCK -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1)

# compile WHAT COMPILER OPTION…: all files, side by side.
compile() {
    local what="$1, $2"
    local -a command=("$2" "${flags[@]}" "${@:3}")
    # clang sees the parameters that PHP's macros bring, and that a handler need not use.
    [ "$2" = gcc ] || command+=(-Wno-unused-parameter)
    if each "${glue[@]}" -- "${command[@]}"; then
        passed=$((passed + 1))
    else
        complain "$what"
        failed=$((failed + 1))
    fi
}

for php_version in "${newer_phps[@]}"; do
    if ! headers_of "$php_version"; then
        say "skipped: PHP $php_version: $why_not"
        skipped=$((skipped + 1))
        continue
    fi
    echo "with $php_version: $package_version"
    system=()
    for folder in '' /main /TSRM /Zend /ext; do
        system+=(-isystem "$headers$folder")
    done
    for compiler in $(compilers); do
        compile "PHP $package_version" "$compiler" "${system[@]}"
        compile "PHP $package_version with threads" "$compiler" "${system[@]}" -DZTS=1
    done
done

finish_counted
