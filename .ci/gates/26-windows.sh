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
long=(windows_glue windows_core windows_msvc windows_msvc_core windows32 windows_planted windows_phpt windows_threads)

# What config.w32 has nmake build, by the functions of PHP's own configure.js.
windows_config() {
    need node
    windows_headers
    part_of node "$root/tests/windows/config.js" "$for_windows/8.2/win32/build/confutils.js"
}

# What sees PHP, with PHP's own headers for Windows: of the oldest version and of a newer one, in the long form also of those that are yet to
# come to Debian; for 64 bits and 32, with threads and without. In the short form each of these once: windows_msvc has the other halves.
windows_glue() {
    local version
    need {x86_64,i686}-w64-mingw32-gcc-win32
    hiredis_source
    windows_headers
    cd "$root"
    mkdir "$scratch/include"
    ln -s "$hiredis_folder" "$scratch/include/hiredis"
    # The MSVC that builds PHP 8.2 has no atomics of its own.
    glue_compiles 8.2 "$for_windows/8.2" 'i686 -DPLATFORM_OWN_ATOMICS'
    glue_compiles 8.4 "$for_windows/8.4" 'x86_64 -DZTS=1'
    [ "$form" = long ] || return 0
    glue_compiles 8.2 "$for_windows/8.2" 'x86_64 -DPLATFORM_OWN_ATOMICS' 'x86_64 -UZTS' 'x86_64 -DZTS=1' 'i686 -UZTS' 'i686 -DZTS=1'
    glue_compiles 8.4 "$for_windows/8.4" 'x86_64 -UZTS' 'i686 -UZTS' 'i686 -DZTS=1'
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
    local case
    local -a options
    # C99's formats are those of PHP's functions, and of the library that MSVC has.
    read -ra options <<<"-std=gnu11 -fsyntax-only -Wall -Wextra -Werror -include tests/windows/glue/before.h -I. -Isrc \
        -DWIN32 -D_WINDOWS -D_WIN32_WINNT=0x0601 -D__USE_MINGW_ANSI_STDIO=1 -isystem $scratch/include $(php_for_windows "$2")"
    for case in "${@:3}"; do
        holds "PHP $1, $case" each "${case% *}-w64-mingw32-gcc-win32" "${options[@]}" "${case#* }" < <(bin/sources glue)
    done
}

# php_for_windows HEADERS: prints the options by which a module is compiled that PHP loads, as PHP's build for Windows has them.
php_for_windows() {
    printf '%s ' -DZEND_WIN32=1 -DPHP_WIN32=1 -DZEND_DEBUG=0 -DFD_SETSIZE=256 -DHAVE_REDISLOCK_TLS -DCOMPILE_DL_REDISLOCK \
        -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1
    printf -- '-isystem %s ' tests/windows/glue/include "$1"{,/main,/Zend,/TSRM,/ext}
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

# What MSVC would refuse, as far as clang can tell when it takes itself for that one, with wine's headers. PHP 8.2 and 8.3 are built by that
# of Visual Studio 2019, and newer ones by that of 2022.
windows_msvc() {
    local compiler
    local -a sources
    need clang wine-headers
    hiredis_source
    windows_headers
    cd "$root"
    mkdir "$scratch/include"
    ln -s "$hiredis_folder" "$scratch/include/hiredis"
    compiler="clang -fsyntax-only @tests/windows/msvc/flags $(tests/windows/msvc/headers "$scratch/headers") -isystem $scratch/include -I. -Isrc"
    mapfile -t sources < <(bin/sources core glue headers windows | grep -vE '^src/platform/(posix/|atomics|compiler)')
    prints_nothing 'MSVC does not know' grep -nE "$not_msvcs" "${sources[@]}"
    as_msvc_for 8.2 19.29 x86_64 -UZTS
    as_msvc_for 8.4 19.40 i686 -DZTS=1
    msvc_is_strict
    [ "$form" = long ] || return 0
    as_msvc_for 8.2 19.29 i686 -DZTS=1
    as_msvc_for 8.4 19.40 x86_64 -UZTS
    as_msvc_for 8.4 19.40 aarch64 -DZTS=1
}

# Words of GNU's and of C11's that clang knows nevertheless.
not_msvcs='\<(__(attribute|asm|typeof)(__)?|__(extension|alignof)__|__(int128|thread|auto_type)|asm|typeof|_Atomic|_Thread_local|_Complex'
not_msvcs+='|__(builtin|atomic|sync)_[a-z_0-9]+)\>|\[static '

# as_msvc_for PHP VERSION PROCESSOR OPTION: the core, the glue, and hiredis, which is compiled in; its warnings are its authors' to look at.
as_msvc_for() {
    local -a options
    read -ra options <<<"$compiler --target=$3-pc-windows-msvc -fms-compatibility-version=$2"
    holds "as MSVC $2, $3, the core" each "${options[@]}" < <(bin/sources core windows | grep -v '^src/platform/posix/')
    holds "as MSVC $2, $3, hiredis" each "${options[@]}" -w < <(printf "$hiredis_folder/%s.c\n" alloc async hiredis net read sds sockcompat)
    read -ra options <<<"${options[*]} $4 $(php_for_windows "$for_windows/$1")"
    holds "as MSVC $2, $3, for PHP $1" each "${options[@]}" < <(bin/sources glue)
}

# Is that any good? Each of these must be refused, and not for want of anything else.
msvc_is_strict() {
    local line
    echo 'int f(int n) { return n; }' >"$scratch/line.c"
    holds 'all is refused' msvc_takes "$scratch/line.c"
    while IFS= read -r line; do
        printf '%b\n' "$line" >"$scratch/line.c"
        holds "this was not refused: $line" refused msvc_takes "$scratch/line.c"
    done <<'END'
int f(int n) { int a[n]; a[0] = n; return a[0]; }
#include <pthread.h>
#include <unistd.h>
#include <stdatomic.h>
#include <windows.h>\n#include <winsock2.h>
__attribute__((noinline)) int f(int n);
int f(int n) { return ({ n; }); }
int f(unsigned n) { return __builtin_ctz(n); }
int f(int a[static 2]) { return a[0]; }
void *f(void *at) { return at + 1; }
#include <string.h>\nint f(const char *a) { return strcasecmp(a, "a"); }
#include <sys/types.h>\npid_t f(void);
struct { int n; } f = {};
int f[0];
int f(int n) { return n ?: 1; }
int f(int n) { switch (n) { case 1 ... 3: return 1; } return 0; }
#include <time.h>\nint f(void) { return clock_gettime(0, 0); }
END
}

msvc_takes() {
    # shellcheck disable=SC2086 # options
    ! grep -qE "$not_msvcs" "$1" && $compiler --target=x86_64-pc-windows-msvc "$1"
}

refused() {
    ! "$@" 2>/dev/null
}

# The core, compiled by clang in the place of MSVC, and run by wine.
windows_msvc_core() {
    runs_on_x86
    private_tmp
    hiredis_source
    part_of "$root/tests/windows/run" --hiredis="$hiredis_folder" --msvc
    tidy 'the scenarios'
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
