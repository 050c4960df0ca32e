# The core compiles where we have no machine: with musl, as on Alpine, and without what Linux has and macOS has not.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

need cc hiredis musl-gcc
cd "$root"
mapfile -t core < <(bin/sources core)
flags=(-std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I. -Isrc)

# hiredis' headers alone: beside them are those of the C library that is not to be used. TLS is OpenSSL's, which has no
# headers for musl here.
mkdir "$scratch/include"
read -ra hiredis <<<"$(pkg-config --cflags hiredis)"
headers=$(cc "${hiredis[@]}" -M -xc - <<<'#include <hiredis/hiredis.h>' | grep -o '[^ ]*/hiredis/hiredis\.h')
ln -s "$(dirname "$headers")" "$scratch/include/hiredis"
each "${core[@]}" -- musl-gcc "${flags[@]}" -I"$scratch/include" || complain 'with musl'

cat >"$scratch/macos.h" <<'C'
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#undef CLOCK_BOOTTIME
#undef SOCK_CLOEXEC
#undef SOCK_NONBLOCK
#undef MSG_NOSIGNAL
#define getrandom not_on_macos
C
each "${core[@]}" -- cc "${flags[@]}" -include "$scratch/macos.h" -I"$scratch/include" || complain 'as on macOS'

finish
