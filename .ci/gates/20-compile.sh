# The sources compile without a warning wherever they have to. In the long form, on the versions of PHP that no stable Debian has yet:
# all tests.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"
short=(warnings symbols shares_nothing elsewhere newer)
long=(newer php85 php86)

# options_for COMPILER: fills `options` with those that sources are compiled with that see PHP. Its own headers are to be added, as
# system headers, since they do not pass -Wextra.
options_for() {
    read -ra options <<<"-std=gnu11 -Wall -Wextra -Werror -fvisibility=hidden -DHAVE_REDISLOCK_TLS -DCOMPILE_DL_REDISLOCK \
        -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1 -I$root -I$root/src $(pkg-config --cflags hiredis openssl)"
    # clang sees the parameters that PHP's macros bring, and that a handler need not use.
    [ "$1" = gcc ] || options+=(-Wno-unused-parameter)
}

# Every source, with gcc and clang; and the core without PHP.
warnings() {
    need php phpize cc hiredis openssl gcc clang
    cd "$root"
    read -ra php_headers <<<"$("$php_config" --includes | sed 's/-I/-isystem /g')"
    read -ra hiredis <<<"$(pkg-config --cflags hiredis)"
    read -ra tls <<<"-DHAVE_REDISLOCK_TLS $(pkg-config --cflags openssl)"

    # PHP includes it when the extension is built in, without knowing where our other headers are.
    cc -fsyntax-only "${php_headers[@]}" "$root/php_redislock.h" || complain 'php_redislock.h needs more than PHP'

    for compiler in gcc clang; do
        # gcc finds some of its warnings when it optimizes, clang all of them before.
        [ "$compiler" = gcc ] && how=(-O2 -c -o /dev/null) || how=(-fsyntax-only)
        flags=(-std=gnu11 -Wall -Wextra -Werror -fvisibility=hidden -I. -Isrc "${hiredis[@]}" "${how[@]}")
        bin/sources core | each "$compiler" "${flags[@]}" "${tls[@]}" || complain "$compiler: the core"
        bin/sources core | xargs grep -l HAVE_REDISLOCK_TLS | each "$compiler" "${flags[@]}" ||
            complain "$compiler: the core without TLS"
        options_for "$compiler"
        bin/sources glue | each "$compiler" "${how[@]}" "${options[@]}" "${php_headers[@]}" || complain "$compiler: the glue"
    done
}

# The module exports nothing but get_module, and takes from PHP and its libraries only what it may; also where the processor has
# no 64-bit atomics.
symbols() {
    need nm gcc
    build
    exported=$(nm -D --defined-only "$extension" | awk '{ print $3 }')
    [ "$exported" = get_module ] || complain "exported: $exported"
    loads "$extension" || complain 'does not load with all names bound'

    # Some 32-bit processors have no instructions for 64-bit atomics: there gcc calls a library, which has to be linked. This option
    # has it do so everywhere.
    cp "$root/config.m4" "$root/Makefile.frag" "$scratch"
    copy_sources "$scratch"
    CC=gcc CFLAGS='-O0 -fno-inline-atomics' compile "$scratch"
    loads "$scratch/modules/redislock.so" || complain 'does not load where atomics are calls of a library'
}

# What the linker would only find missing when the code is reached: with lazy binding a misspelt name loads well.
loads() {
    env LD_BIND_NOW=1 "$php" -n -d "extension=$1" -r 'exit(extension_loaded("redislock") ? 0 : 1);'
}

# For a PHP with threads; and nothing is shared between them.
shares_nothing() {
    need php phpize cc clang hiredis openssl
    part_of "$root/tests/zts/run"
}

# The core, where we have no machine: with musl, as on Alpine, and without what Linux has and macOS has not.
elsewhere() {
    need cc hiredis musl-gcc
    cd "$root"
    flags=(-std=gnu11 -Wall -Wextra -Werror -fsyntax-only -I. -Isrc -I"$scratch/include")

    # hiredis' headers alone: beside them are those of the C library that is not to be used. TLS is OpenSSL's, which has no
    # headers for musl here.
    mkdir "$scratch/include"
    read -ra hiredis <<<"$(pkg-config --cflags hiredis)"
    headers=$(cc "${hiredis[@]}" -M -xc - <<<'#include <hiredis/hiredis.h>' | grep -o '[^ ]*/hiredis/hiredis\.h')
    ln -s "$(dirname "$headers")" "$scratch/include/hiredis"
    bin/sources core | each musl-gcc "${flags[@]}" || complain 'with musl'

    {
        printf '#include <%s.h>\n' sys/random sys/socket time
        printf '#undef %s\n' CLOCK_BOOTTIME SOCK_CLOEXEC SOCK_NONBLOCK MSG_NOSIGNAL
        echo '#define getrandom not_on_macos'
    } >"$scratch/macos.h"
    bin/sources core | each cc "${flags[@]}" -include "$scratch/macos.h" || complain 'as on macOS'
}

# What sees PHP, for the versions of it that are yet to come to Debian: without threads by gcc, and with them by clang; in the long form
# also the other way round.
newer() {
    have apt-get && have dpkg-deb || not_here 'these packages are for Debian'
    need gcc clang hiredis openssl
    cd "$root"
    for php_version in "${newer_phps[@]}"; do
        headers_of "$php_version" || { skip "PHP $php_version: $why_not" && continue; }
        echo "with $php_version: $package_version"
        for compiler in gcc clang; do
            options_for "$compiler"
            for folder in '' /main /TSRM /Zend /ext; do
                options+=(-isystem "$headers$folder")
            done
            [ "$compiler" = gcc ] && threads=-UZTS others=-DZTS=1 || threads=-DZTS=1 others=-UZTS
            for threads in "$threads" $(longer '' "$others"); do
                holds "PHP $package_version, $compiler $threads" \
                    each "$compiler" -fsyntax-only "${options[@]}" "$threads" < <(bin/sources glue)
            done
        done
    done
}

# Redis 8 and Valkey 9 are in the same moving suites of Debian.
php85() {
    test_on_newest 8.5 redis-server
}

php86() {
    test_on_newest 8.6 valkey-server
}

steps "$@"
