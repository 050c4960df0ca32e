# What Windows needs of the sources, as far as Debian's compilers for Windows can tell, and wine.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"
# shellcheck source=../windows.sh
. "$(dirname "$0")/../windows.sh"
# shellcheck source=../windows-php.sh
. "$(dirname "$0")/../windows-php.sh"
short=(windows_config windows_glue windows_tls windows_core windows_msvc)
long=(windows_glue windows_core windows32 windows_planted windows_phpt)

# What config.w32 has nmake build, by the functions of PHP's own configure.js.
windows_config() {
    need node
    windows_headers
    part_of node "$root/tests/windows/config.js" "$for_windows/8.2/win32/build/confutils.js"
}

# What sees PHP, with PHP's own headers for Windows: of the oldest version and of a newer one, in the long form also of those that are yet to
# come to Debian; for 64 bits and 32, with threads and without.
windows_glue() {
    local version
    need {x86_64,i686}-w64-mingw32-gcc-win32
    hiredis_source
    windows_headers
    cd "$root"
    mkdir "$scratch/include"
    ln -s "$hiredis_folder" "$scratch/include/hiredis"
    # The MSVC that builds PHP 8.2 has no atomics of its own.
    glue_compiles 8.2 "$for_windows/8.2" 'x86_64 -DPLATFORM_OWN_ATOMICS' 'i686 -DZTS=1'
    glue_compiles 8.4 "$for_windows/8.4" 'x86_64 -DZTS=1' 'i686 -UZTS'
    [ "$form" = long ] || return 0
    glue_compiles 8.2 "$for_windows/8.2" 'x86_64 -UZTS' 'x86_64 -DZTS=1' 'i686 -UZTS'
    glue_compiles 8.4 "$for_windows/8.4" 'x86_64 -UZTS' 'i686 -DZTS=1'
    for version in "${newer_phps[@]}"; do
        headers_of "$version" || { skip "PHP $version: $why_not" && continue; }
        fit_for_windows "$headers" "$for_windows/8.2"
        glue_compiles "$package_version" "$headers" 'x86_64 -UZTS' 'i686 -DZTS=1'
    done
}

# What uses OpenSSL, with the headers of this system's: there is no OpenSSL for mingw-w64 here to link with.
windows_tls() {
    local folder
    local -a openssl options=(-std=gnu11 -fsyntax-only -Wall -Wextra -Werror -DHAVE_REDISLOCK_TLS -D_WIN32_WINNT=0x0601 -I. -Isrc)
    need openssl x86_64-w64-mingw32-gcc-win32 cc
    cd "$root"
    mapfile -t openssl < <(echo '#include <openssl/ssl.h>' | cc -M -xc - | grep -o '/[^ ]*/openssl/' | sort -u)
    for folder in "${openssl[@]}"; do
        mkdir -p "$scratch/include${folder%openssl/}"
        ln -s "$folder" "$scratch/include${folder%/}"
        options+=(-isystem "$scratch/include${folder%openssl/}")
    done
    holds 'what uses OpenSSL' each x86_64-w64-mingw32-gcc-win32 "${options[@]}" \
        < <(bin/sources core windows | grep -v '^src/platform/posix/' | xargs grep -l HAVE_REDISLOCK_TLS)
}

# glue_compiles PHP HEADERS CASE…: whether all of it does without a warning, for each processor and option. Warnings of PHP's
# own headers are not ours to mend.
glue_compiles() {
    local case part
    local -a options
    # As PHP's build for Windows has them; C99's formats are those of PHP's functions, and of the library that MSVC has.
    read -ra options <<<"-std=gnu11 -fsyntax-only -Wall -Wextra -Werror -include tests/windows/glue/before.h -I. -Isrc \
        -DZEND_WIN32=1 -DPHP_WIN32=1 -DWIN32 -D_WINDOWS -D_WIN32_WINNT=0x0601 -DZEND_DEBUG=0 -DFD_SETSIZE=256 -D__USE_MINGW_ANSI_STDIO=1 \
        -DHAVE_REDISLOCK_TLS -DCOMPILE_DL_REDISLOCK -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1"
    for part in tests/windows/glue/include "$scratch/include" "$2"{,/main,/Zend,/TSRM,/ext}; do
        options+=(-isystem "$part")
    done
    for case in "${@:3}"; do
        holds "PHP $1, $case" each "${case% *}-w64-mingw32-gcc-win32" "${options[@]}" "${case#* }" < <(bin/sources glue)
    done
}

# The core, compiled without a warning and run by wine, with 64 bits; with 32, compiled and linked. In the long form, more of it.
windows_core() {
    runs_on_x86
    private_tmp
    hiredis_source
    [ "$form" = short ] || export REDISLOCK_TEST_LONG=1
    part_of "$root/tests/windows/run" --hiredis="$hiredis_folder"
    [ "$form" = long ] || part_of "$root/tests/windows/run" --hiredis="$hiredis_folder" --bits=32 --build
    tidy 'the scenarios'
}

runs_on_x86() {
    [ "$(uname -m)" = x86_64 ] || not_here 'wine runs programs of the processor that it runs on'
}

# What MSVC would refuse, as far as another compiler can tell: see tests/windows/like_msvc.h.
windows_msvc() {
    local compiler=x86_64-w64-mingw32-gcc-win32 header
    need "$compiler"
    hiredis_source
    cd "$root"
    mkdir -p "$scratch/include/sys" "$scratch/hiredis"
    ln -s "$hiredis_folder" "$scratch/hiredis/hiredis"
    for header in unistd strings pthread stdatomic poll dirent sys/time sys/param; do
        printf '#ifdef LIKE_MSVC\n#error MSVC has no such header\n#else\n#include_next <%s.h>\n#endif\n' "$header" >"$scratch/include/$header.h"
    done
    # It takes longer texts than the standard asks for.
    flags=(-std=c11 -pedantic-errors -Wno-overlength-strings -Wvla -Wpointer-arith -Wall -Wextra -Werror -fsyntax-only -D_WIN32_WINNT=0x0601
        -I"$scratch/include" -include tests/windows/like_msvc.h -I. -Isrc -isystem "$scratch/hiredis")
    holds 'MSVC would refuse a source of the core' each "$compiler" "${flags[@]}" < <(bin/sources core windows | grep -v '^src/platform/posix/')
    # Is that any good?
    for line in 'int f(int n) { int a[n]; a[0] = n; return a[0]; }' '#include <pthread.h>' '__attribute__((noinline)) int f(int n);' \
        'int f(int n) { return ({ n; }); }' 'int f(unsigned n) { return __builtin_ctz(n); }' 'void *f(void *at) { return at + 1; }'; do
        echo "$line" >"$scratch/line.c"
        holds "this was not refused: $line" refused "$compiler" "${flags[@]}" "$scratch/line.c"
    done
}

refused() {
    ! "$@" 2>/dev/null
}

# Run with 32 bits, by the wine of a system of its own: this one is to stay without packages of another processor.
windows32() {
    runs_on_x86
    new_root "$(own_suite)"
    starts_no_service
    inside dpkg --add-architecture i386
    # What is missing then is seen by the installation.
    inside apt-get update -q >"$scratch/update" 2>&1 || true
    run_quietly 'installing wine' inside apt-get install -qy --no-install-recommends wine wine32:i386
    hiredis_source
    part_of unshare --mount "$root/tests/windows/run" --hiredis="$hiredis_folder" --bits=32 --box="$box"
}

# Whether the scenarios are any good.
windows_planted() {
    runs_on_x86
    private_tmp
    hiredis_source
    part_of "$root/tests/windows/run" --hiredis="$hiredis_folder" --planted
    tidy 'the scenarios'
}

steps "$@"
