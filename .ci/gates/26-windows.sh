# What Windows needs of the sources, as far as Debian's compilers for Windows can tell. The long form has all of it.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"
short=(windows_config windows_glue windows_tls)
long=(windows_glue)

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
    local -a hiredis
    need cc hiredis {x86_64,i686}-w64-mingw32-gcc-win32
    windows_headers
    cd "$root"
    # Its headers alone: beside them are those of this system.
    read -ra hiredis <<<"$(pkg-config --cflags hiredis)"
    mkdir "$scratch/include"
    ln -s "$(dirname "$(cc "${hiredis[@]}" -M -xc - <<<'#include <hiredis/hiredis.h>' | grep -o '[^ ]*/hiredis/hiredis\.h')")" "$scratch/include/hiredis"
    glue_compiles 8.2 "$for_windows/8.2" 'x86_64 -UZTS' 'i686 -DZTS=1'
    glue_compiles 8.4 "$for_windows/8.4" 'x86_64 -DZTS=1' 'i686 -UZTS'
    [ "$form" = long ] || return 0
    glue_compiles 8.2 "$for_windows/8.2" 'x86_64 -DZTS=1' 'i686 -UZTS'
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

# glue_compiles PHP HEADERS CASE…: whether all of it does without a warning, for each processor and with threads or without. Warnings of PHP's
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

steps "$@"
