# shellcheck shell=bash disable=SC2154 # root, cache and scratch are lib.sh's; hiredis_folder is windows.sh's
# PHP for Windows, and the module in it. To be sourced after windows.sh, by the gate 26-windows.sh.

# The phpt files that can, by wine.
windows_phpt() {
    local built openssl
    runs_on_x86
    private_tmp
    need x86_64-w64-mingw32-gcc-win32 x86_64-w64-mingw32-windmc wine make perl xz
    php_for_windows
    openssl_for_windows
    hiredis_source
    # shellcheck disable=SC2153 # not this shell's
    run_quietly 'compiling the module for Windows' make -s -j"$(cores)" -C "$root/tests/windows/php" -f module.mk PHP="$built" \
        HIREDIS="$hiredis_folder" OPENSSL="$openssl" OUT="$scratch/module" || die 'the module cannot be compiled for Windows'
    part_of "$root/tests/windows/php/run" "$built" "$scratch/module/php_redislock.dll"
    tidy 'phpt'
}

# php_for_windows: fills `built` with PHP 8.2 of Debian 12, whatever this machine runs. It is kept in the cache, by how it is built;
# where that is not ours to write, it is built for this run. Two runs at once build it once.
php_for_windows() {
    local source=$scratch/php-source
    built=$cache/windows-php-$(cat "$root"/tests/windows/php/{build,first.h} | cksum | cut -d ' ' -f 1)
    { mkdir -p "$cache" && exec 7>"$cache/windows-php.lock" && flock 7; } 2>/dev/null || built=$scratch/windows-php
    if [ ! -e "$built/php.exe" ]; then
        grep -q '^ID=debian$' /etc/os-release || not_here "PHP's source is that of Debian"
        say 'building PHP for Windows'
        read_lists deb-src bookworm || die "PHP's source cannot be had: $why_not"
        run_quietly "getting PHP's source" in_folder "$scratch/apt" own_apt apt-get -q source --download-only php8.2
        mkdir "$source"
        tar -xf "$scratch"/apt/php8.2_*.orig.tar.xz -C "$source" --strip-components=1
        rm -rf "$cache"/windows-php-* "$built"
        run_quietly 'building PHP for Windows' "$root/tests/windows/php/build" "$source" "$built" || die 'PHP for Windows cannot be built'
        rm -rf "$source"
    fi
    exec 7>&-
}

# openssl_for_windows: fills `openssl` with OpenSSL's libraries of the version that Debian 12 has. They are kept as PHP is.
openssl_for_windows() {
    local source=$scratch/openssl-source
    openssl=$cache/windows-openssl-$(cksum <"$root/tests/windows/php/build-openssl" | cut -d ' ' -f 1)
    { mkdir -p "$cache" && exec 7>"$cache/windows-openssl.lock" && flock 7; } 2>/dev/null || openssl=$scratch/windows-openssl
    if [ ! -e "$openssl/libssl.a" ]; then
        grep -q '^ID=debian$' /etc/os-release || not_here "OpenSSL's source is that of Debian"
        say 'building OpenSSL for Windows'
        read_lists deb-src bookworm || die "OpenSSL's source cannot be had: $why_not"
        run_quietly "getting OpenSSL's source" in_folder "$scratch/apt" own_apt apt-get -q source --download-only openssl
        mkdir "$source"
        tar -xf "$scratch"/apt/openssl_*.orig.tar.gz -C "$source" --strip-components=1
        rm -rf "$cache"/windows-openssl-*
        run_quietly 'building OpenSSL for Windows' nice -n 5 "$root/tests/windows/php/build-openssl" "$source" "$openssl" ||
            die 'OpenSSL for Windows cannot be built'
        rm -rf "$source"
    fi
    exec 7>&-
}
