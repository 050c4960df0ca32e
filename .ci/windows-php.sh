# shellcheck shell=bash disable=SC2154 # root, cache and scratch are lib.sh's; hiredis_folder is windows.sh's
# PHP for Windows, and the module in it. To be sourced after windows.sh, by the gate 26-windows.sh.

# The phpt files that can, by wine.
windows_phpt() {
    local built openssl_built
    runs_on_x86
    private_tmp
    need x86_64-w64-mingw32-gcc-win32 x86_64-w64-mingw32-windmc wine make perl xz
    built_for_windows built php8.2 php.exe build first.h
    built_for_windows openssl_built openssl libssl.a build-openssl
    hiredis_source
    # shellcheck disable=SC2153 # not this shell's
    run_quietly 'compiling the module for Windows' make -s -j"$(cores)" -C "$root/tests/windows/php" -f module.mk PHP="$built" \
        HIREDIS="$hiredis_folder" OPENSSL="$openssl_built" OUT="$scratch/module" || die 'the module cannot be compiled for Windows'
    part_of "$root/tests/windows/php/run" "$built" "$scratch/module/php_redislock.dll"
    tidy 'phpt'
}

# built_for_windows VARIABLE PACKAGE FILE SCRIPT [PART…]: names in the variable a folder with what the script of tests/windows/php makes
# of the source of Debian 12, whatever this machine runs; FILE is in it then. It is kept in the cache, by the script and its parts;
# where that is not ours to write, it is built for this run. Two runs at once build it once.
built_for_windows() {
    local -n folder=$1
    local name=windows-$2 source=$scratch/windows-$2-source
    folder=$cache/$name-$(cd "$root/tests/windows/php" && cat "${@:4}" | cksum | cut -d ' ' -f 1)
    { mkdir -p "$cache" && exec 7>"$cache/$name.lock" && flock 7; } 2>/dev/null || folder=$scratch/$name
    if [ ! -e "$folder/$3" ]; then
        say "building $2 for Windows"
        source_of bookworm "$2" "$source"
        rm -rf "$cache/$name"-*
        run_quietly "building $2 for Windows" "$root/tests/windows/php/$4" "$source" "$folder" || die "$2 cannot be built for Windows"
        rm -rf "$source"
    fi
    exec 7>&-
}
