# Every source compiles without a warning, with gcc and clang; and the core without PHP.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

need php phpize cc hiredis openssl gcc clang
cd "$root"

mapfile -t core < <(tracked 'lock_*.c' 'redis_*.c' platform.c 'queue_*.c' 'cache_*.c')
mapfile -t glue < <(tracked redislock.c 'php_*.c')
[ "${#core[@]}" -ge 5 ] && [ "${#glue[@]}" -ge 2 ] || complain 'found no sources'
unsorted=$(comm -23 <(tracked ':(glob)*.c' | sort) <(printf '%s\n' "${core[@]}" "${glue[@]}" | sort))
[ -z "$unsorted" ] || complain "neither core nor glue by its name: $unsorted"
mapfile -t without_tls < <(grep -l HAVE_REDISLOCK_TLS "${core[@]}")

read -ra php_headers <<<"$(php_includes)"
read -ra hiredis <<<"$(pkg-config --cflags hiredis)"
read -ra tls <<<"-DHAVE_REDISLOCK_TLS $(pkg-config --cflags openssl)"

for compiler in $(compilers); do
    # gcc finds some of its warnings when it optimizes, clang all of them before.
    [ "$compiler" = gcc ] && how=(-O2 -c -o /dev/null) || how=(-fsyntax-only)
    flags=(-std=gnu11 -Wall -Wextra -Werror -fvisibility=hidden "${hiredis[@]}" "${how[@]}")
    options_for_glue "$compiler"
    each "${core[@]}" -- "$compiler" "${flags[@]}" "${tls[@]}" || complain "$compiler: the core"
    each "${without_tls[@]}" -- "$compiler" "${flags[@]}" || complain "$compiler: the core without TLS"
    each "${glue[@]}" -- "$compiler" "${how[@]}" "${glue_options[@]}" "${php_headers[@]}" || complain "$compiler: the glue"
done

finish
