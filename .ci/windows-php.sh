# shellcheck shell=bash disable=SC2154 # root, cache and scratch are lib.sh's; hiredis_folder is windows.sh's
# PHP for Windows, and the module in it. To be sourced after windows.sh, by the gate 26-windows.sh.

# The phpt files that can, by wine.
windows_phpt() {
    local built module
    php_and_module php8.2 build
    part_of "$root/tests/windows/php/run" "$built" "$module"
    tidy 'phpt'
}

# The same by PHP with threads, and requests in many threads of one process.
windows_threads() {
    local built module
    php_and_module php8.2ts 'build --threads'
    part_of "$root/tests/zts/threads" --long --windows="$built" --module="$module"
    part_of "$root/tests/windows/php/run" "$built" "$module"
    tidy 'phpt, or requests in threads'
}

# php_and_module NAME SCRIPT: fills `built` with a folder that has what the script makes of PHP's source, and `module` with the module
# for it.
php_and_module() {
    local openssl_built
    runs_on_x86
    private_tmp
    need x86_64-w64-mingw32-gcc-win32 x86_64-w64-mingw32-windmc wine make perl xz
    built_for_windows built "$1" php8.2 php.exe "$2" first.h
    built_for_windows openssl_built openssl openssl libssl.a build-openssl
    hiredis_source
    run_quietly 'compiling the module for Windows' make -s -j"$(cores)" -C "$root/tests/windows/php" -f module.mk PHP="$built" \
        HIREDIS="$hiredis_folder" OPENSSL="$openssl_built" OUT="$scratch/module" || die 'the module cannot be compiled for Windows'
    module=$scratch/module/php_redislock.dll
}

# built_for_windows VARIABLE NAME PACKAGE FILE SCRIPT [PART…]: names in the variable a folder with what the script of tests/windows/php,
# which may have an option, makes of the source of Debian 12, whatever this machine runs; FILE is in it then. It is kept in the cache,
# by its name, the script and its parts; where that is not ours to write, it is built for this run. Two runs at once build it once.
built_for_windows() {
    local -n folder=$1
    local name=windows-$2 source=$scratch/windows-$2-source
    local -a script
    read -ra script <<<"$5"
    folder=$cache/$name-$(cd "$root/tests/windows/php" && cat "${script[0]}" "${@:6}" | cksum | cut -d ' ' -f 1)
    { mkdir -p "$cache" && exec 7>"$cache/$name.lock" && flock 7; } 2>/dev/null || folder=$scratch/$name
    if [ ! -e "$folder/$4" ]; then
        say "building $2 for Windows"
        source_of bookworm "$3" "$source"
        rm -rf "$cache/$name"-*
        run_quietly "building $2 for Windows" "$root/tests/windows/php/${script[0]}" "${script[@]:1}" "$source" "$folder" ||
            die "$2 cannot be built for Windows"
        rm -rf "$source"
    fi
    exec 7>&-
}
