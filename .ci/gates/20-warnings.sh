# Every source compiles without a warning, with gcc and clang; and the core without PHP.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need php phpize cc hiredis openssl gcc clang
cd "$root"

mapfile -t core < <(bin/sources core)
mapfile -t glue < <(bin/sources glue)
mapfile -t without_tls < <(grep -l HAVE_REDISLOCK_TLS "${core[@]}")

read -ra php_headers <<<"$(php_includes)"
read -ra hiredis <<<"$(pkg-config --cflags hiredis)"
read -ra tls <<<"-DHAVE_REDISLOCK_TLS $(pkg-config --cflags openssl)"

# PHP includes it when the extension is built in, without knowing where our other headers are.
cc -fsyntax-only "${php_headers[@]}" php_redislock.h || complain 'php_redislock.h needs more than PHP'

for compiler in $(compilers); do
    # gcc finds some of its warnings when it optimizes, clang all of them before.
    [ "$compiler" = gcc ] && how=(-O2 -c -o /dev/null) || how=(-fsyntax-only)
    flags=(-std=gnu11 -Wall -Wextra -Werror -fvisibility=hidden -I. -Isrc "${hiredis[@]}" "${how[@]}")
    options_for_glue "$compiler"
    each "${core[@]}" -- "$compiler" "${flags[@]}" "${tls[@]}" || complain "$compiler: the core"
    each "${without_tls[@]}" -- "$compiler" "${flags[@]}" || complain "$compiler: the core without TLS"
    each "${glue[@]}" -- "$compiler" "${how[@]}" "${glue_options[@]}" "${php_headers[@]}" || complain "$compiler: the glue"
done

finish
