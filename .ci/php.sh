# shellcheck shell=bash disable=SC2154,SC2034 # cache and scratch are lib.sh's and the gate's
# A PHP with threads (ZTS) and for debugging, built from the distribution's own source package, since there is no binary of
# it. To be sourced after lib.sh and make_scratch.

# shellcheck source=apt.sh
. "$(dirname "${BASH_SOURCE[0]}")/apt.sh"

# What the tests need, and no more. The timers are the default of newer versions. The static library is for a host program:
# its objects are those of the other programs, which a shared one would compile a second time.
zts_options=(--disable-all --enable-zts --enable-debug --enable-cli --enable-fpm --enable-embed=static --disable-cgi --disable-phpdbg
    --without-pear --enable-posix --enable-pcntl=shared --enable-sockets --enable-pdo --with-pdo-sqlite --with-sqlite3 --with-openssl
    --enable-tokenizer --enable-ctype --enable-filter --enable-zend-max-execution-timers CFLAGS=-g1)

# The newest PHP among the source packages that were read, and its version.
newest_php() {
    own_apt apt-get indextargets --format '$(FILENAME)' 'Created-By: Sources' | while IFS= read -r list; do
        /usr/lib/apt/apt-helper cat-file "$list"
    done | awk '$1 == "Package:" { name = $2 } $1 == "Version:" && name ~ /^php[0-9]+\.[0-9]+$/ { print name, $2; name = "" }' | sort -V | tail -n 1
}

# build_zts_php PACKAGE VERSION PREFIX STAGE: compiles it for PREFIX and installs it below STAGE.
build_zts_php() {
    local package=$1 version=$2 prefix=$3 stage=$4 work=$scratch/php-build
    mkdir -p "$work/download" "$work/source" "$work/objects"
    (cd "$work/download" && run_quietly "getting the source of $package" own_apt apt-get source --download-only "$package=$version") || return
    tar -xf "$work"/download/*.orig.tar.xz -C "$work/source" --strip-components=1 || return
    run_quietly 'configuring PHP' in_folder "$work/objects" "$work/source/configure" --prefix="$prefix" "${zts_options[@]}" || return
    run_quietly 'compiling PHP' in_folder "$work/objects" make -j"$(cores)" || return
    run_quietly 'installing PHP' in_folder "$work/objects" make install INSTALL_ROOT="$stage" || return
    rm -rf "$work" "$stage$prefix/php"
}

# zts_php: from here on such a PHP is the one to test with. It is kept in the cache, by its version and all that it was built
# with; where the cache is not ours to write, it is built for this run.
zts_php() {
    local package version key zts stage
    grep -q '^ID=debian$' /etc/os-release || not_here 'such a PHP is built from a source package of Debian'
    need cc make xz sqlite openssl
    read_lists deb-src "$(own_suite)" || die "$why_not"
    read -r package version <<<"$(newest_php)"
    [ -n "${version:-}" ] || die "$(own_suite) has no source package of PHP"
    key=$(printf '%s\n' "$package" "$version" "${zts_options[@]}" "$("${CC:-cc}" --version)" "$(declare -f build_zts_php)" | cksum | cut -d ' ' -f 1)
    zts=$cache/zts-${version%%-*}-$key
    if ! { mkdir -p "$cache" && [ -w "$cache" ]; } 2>/dev/null; then
        zts=$scratch/zts
    elif have flock; then
        # Two runs at once build it once.
        exec 7>"$cache/zts.lock"
        flock 7
    fi
    if [ ! -e "$zts" ]; then
        say "building PHP ${version%%-*} with threads"
        # Aside, so that a build that was broken off is never taken for one.
        stage=$(mktemp -d "$(dirname "$zts")/zts-part.XXXXXX")
        build_zts_php "$package" "$version" "$zts" "$stage" || {
            rm -rf "$stage"
            die "PHP ${version%%-*} could not be built"
        }
        # It is a module of its own, so that it can be loaded in front of ours and behind it.
        echo 'extension=pcntl' >"$stage$zts/lib/php.ini"
        mv -T "$stage$zts" "$zts" || [ -e "$zts" ]
        rm -rf "$stage"
    fi
    exec 7>&-
    touch "$zts"
    # What no run has asked for is of another time.
    find "$cache" -maxdepth 1 \( -name 'zts-[0-9]*' -o -name 'zts-part.*' \) -mtime +30 -exec rm -rf {} + 2>/dev/null || true
    unset PHP PHPIZE REDISLOCK_TEST_FPM
    export PHP_CONFIG=$zts/bin/php-config
    say "$("$zts/bin/php" -n -v | head -n 1)"
}
