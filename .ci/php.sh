# shellcheck shell=bash disable=SC2154,SC2034 # root, cache and scratch are lib.sh's
# Other PHPs than this machine's. To be sourced after lib.sh.

# shellcheck source=debian.sh
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

# --- Newer versions ---------------------------------------------------------------------------------------------------
# What no stable Debian has yet, Debian's experimental suite has, for a while also sid. Both move: on some days a version is missing
# or cannot be installed.

newer_phps=(8.5 8.6)

# candidate PACKAGE: its newest version in the suites that were read; nothing if there is none.
candidate() {
    own_apt apt-cache policy "$1" | sed -n 's/^  Candidate: //p' | grep -vx '(none)' || true
}

# newest_package VERSION: fills `package` and `package_version` of that PHP's headers. Once a PHP has left experimental for
# sid, it is there; sid's list is long, so it is not read before.
newest_package() {
    local suites
    package=php$1-dev
    for suites in experimental 'experimental sid'; do
        # shellcheck disable=SC2086 # a list
        [[ ${suites_read:-} == "$suites"* ]] || { read_lists deb $suites && suites_read=$suites; } || return 1
        package_version=$(candidate "$package")
        [ -z "$package_version" ] || return 0
    done
    why_not="neither experimental nor sid has $package"
    return 1
}

# headers_of VERSION: fills `headers` with the folder of that PHP's headers, below $scratch/php-VERSION. If they cannot be had today,
# `why_not` says why.
headers_of() {
    newest_package "$1" && fetch_headers "$scratch/php-$1" || return 1
    headers=$(echo "$scratch/php-$1"/usr/include/php/*)
    [ -e "$headers/main/php.h" ] || die "no headers in $headers"
}

# fetch_headers FOLDER: what `package` brings.
fetch_headers() {
    in_folder "$scratch/apt" own_apt apt-get -q download "$package=$package_version" >"$scratch/apt/log" 2>&1 ||
        { why_not=$(apts_words "$scratch/apt/log") && return 1; }
    dpkg-deb -x "$scratch/apt/${package}"_*.deb "$1"
}

# newest_root PACKAGE…: fills `box` with a system of sid that has them. If that cannot be had today, `why_not` says why; it is
# empty otherwise. Not to be called in a condition.
newest_root() {
    local status
    can_chroot
    box=$scratch/sid why_not=''
    rm -rf "$box"
    set +e
    (
        set -e
        new_root sid
        install_newest "$@"
    ) >"$scratch/installation" 2>&1
    status=$?
    set -e
    [ "$status" -eq 0 ] || why_not=$(apts_words "$scratch/installation")
}

# install_newest PACKAGE…: into the box, from sid, or where only experimental has it, from there.
install_newest() {
    rm -rf "$box"/etc/apt/sources.list.d/* "$box"/etc/apt/preferences.d/*
    sources_of deb sid experimental >"$box/etc/apt/sources.list"
    [ -s "$box/etc/apt/sources.list" ] || die "$no_mirror"
    echo 'Acquire::Check-Valid-Until "false";' >"$box/etc/apt/apt.conf.d/99redislock"
    starts_no_service
    inside apt-get update -q --error-on=any
    # What was kept of sid may be weeks old; and perl's parts must be of one version before anything asks for the whole of it.
    inside apt-get dist-upgrade -qy
    inside apt-get install -qy --no-install-recommends perl
    inside apt-get install -qy --no-install-recommends "$@"
    # Some packages make folders there, and the tests must leave nothing.
    find "$box/tmp" "$box/var/tmp" -mindepth 1 -delete
}

# test_on_newest VERSION SERVER: all tests on this PHP and server.
test_on_newest() {
    newest_root build-essential pkg-config libhiredis-dev libssl-dev "$2" "php$1-"{cli,dev,common,sqlite3,fpm}
    [ -z "$why_not" ] || not_here "PHP $1 and $2 cannot be installed in sid today: $why_not"
    # shellcheck disable=SC2016 # for dpkg-query
    inside dpkg-query -W -f 'with ${Package} ${Version}\n' "php$1-cli" libhiredis-dev "$2"
    inside_env+=("REDISLOCK_TEST_SERVER=$2")
    clone_inside
    test_inside
    leaves_nothing
}

# --- With threads -----------------------------------------------------------------------------------------------------
# A PHP with threads (ZTS) and for debugging, built from the distribution's own source package, since there is no binary of it.

# What the tests need, and no more. The timers are the default of newer versions. The static library is for a host program:
# its objects are those of the other programs, which a shared one would compile a second time.
zts_options=(--disable-all --enable-zts --enable-debug --enable-cli --enable-fpm --enable-embed=static --disable-cgi --disable-phpdbg
    --without-pear --enable-posix --enable-pcntl=shared --enable-sockets --enable-pdo --with-pdo-sqlite --with-sqlite3 --with-openssl
    --enable-tokenizer --enable-ctype --enable-filter --enable-zend-max-execution-timers CFLAGS=-g1)

# newest_php: fills `package` and `version` with the newest PHP among this Debian's source packages.
newest_php() {
    read_lists deb-src "$(own_suite)" || die "$why_not"
    read -r package version <<<"$(own_apt apt-get indextargets --format '$(FILENAME)' 'Created-By: Sources' | while IFS= read -r list; do
        /usr/lib/apt/apt-helper cat-file "$list"
    done | awk '$1 == "Package:" { name = $2 } $1 == "Version:" && name ~ /^php[0-9]+\.[0-9]+$/ { print name, $2; name = "" }' | sort -V | tail -n 1)"
    [ -n "${version:-}" ] || die "$(own_suite) has no source package of PHP"
}

# fetch_source FOLDER: of that one.
fetch_source() {
    run_quietly "getting the source of $package" in_folder "$1" own_apt apt-get source --download-only "$package=$version"
}

# build_zts_php PREFIX STAGE: compiles it for PREFIX and installs it below STAGE.
build_zts_php() {
    local prefix=$1 stage=$2 work=$scratch/php-build
    mkdir -p "$work/download" "$work/source" "$work/objects"
    fetch_source "$work/download" || return
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
    need cc make xz sqlite3 openssl
    newest_php
    key=$(printf '%s\n' "$package" "$version" "${zts_options[@]}" "$("${CC:-cc}" --version)" "$(declare -f build_zts_php)" | cksum | cut -d ' ' -f 1)
    zts=$cache/zts-${version%%-*}-$key
    # Two runs at once build it once.
    { mkdir -p "$cache" && exec 7>"$cache/zts.lock" && flock 7; } 2>/dev/null || zts=$scratch/zts
    if [ ! -e "$zts" ]; then
        say "building PHP ${version%%-*} with threads"
        # Aside, so that a build that was broken off is never taken for one.
        stage=$(mktemp -d "$(dirname "$zts")/zts-part.XXXXXX")
        build_zts_php "$zts" "$stage" || { rm -rf "$stage" && die "PHP ${version%%-*} could not be built"; }
        # It is a module of its own, so that it can be loaded in front of ours and behind it.
        echo 'extension=pcntl' >"$stage$zts/lib/php.ini"
        mv -T "$stage$zts" "$zts" || [ -e "$zts" ]
        rm -rf "$stage"
    fi
    exec 7>&-
    touch "$zts"
    # What no run has asked for is of another time.
    find "$cache" -maxdepth 1 \( -name 'zts-[0-9]*' -o -name 'zts-part.*' \) -mtime +30 -exec rm -rf {} + 2>/dev/null || true
    unset REDISLOCK_TEST_FPM
    export PHP_CONFIG=$zts/bin/php-config
    say "$("$zts/bin/php" -n -v | head -n 1)"
}

# --- For Windows ------------------------------------------------------------------------------------------------------

# windows_headers: fills `for_windows` with a folder that has a folder of PHP's headers for each version, and the first of them PHP's
# configure.js too. They are kept in the cache, by how they are made.
windows_headers() {
    local key part
    key=$(declare -f windows_headers headers_of_82 headers_of_84 fit_for_windows | cksum | cut -d ' ' -f 1)
    for_windows=$cache/windows-headers-$key
    [ ! -e "$for_windows" ] || { touch "$for_windows" 2>/dev/null || true; return 0; }
    have apt-get && have dpkg-deb || not_here "PHP's headers for Windows are in packages of Debian"
    mkdir "$scratch/headers"
    headers_of_82 "$scratch/headers/8.2" && headers_of_84 "$scratch/headers/8.4" "$scratch/headers/8.2" ||
        not_here "PHP's headers for Windows cannot be had today: $why_not"
    # What no run has asked for is of another time.
    find "$cache" -maxdepth 1 -name 'windows-headers-*' -mtime +30 -exec rm -rf {} + 2>/dev/null || true
    # Aside, so that a copy that was broken off is never taken for one. The cache may not be ours to write, and another run may be first.
    { mkdir -p "$cache" && part=$(mktemp -d "$cache/windows-headers-part.XXXXXX") && cp -r "$scratch/headers/." "$part" &&
        mv -T "$part" "$for_windows"; } 2>/dev/null || { rm -rf "${part:-}" && for_windows=$scratch/headers; }
}

# headers_of_82 FOLDER: those of Debian 12's source package.
headers_of_82() {
    local package=php8.2
    mkdir -p "$scratch/source" "$1"
    read_lists deb-src bookworm || return 1
    in_folder "$scratch/source" own_apt apt-get -q source --download-only "$package" >"$scratch/apt/log" 2>&1 ||
        { why_not=$(apts_words "$scratch/apt/log") && return 1; }
    tar -xf "$scratch"/source/*.orig.tar.xz -C "$1" --strip-components=1 --wildcards '*/main/*.h' '*/Zend/*.h' '*/TSRM/*.h' '*/ext/*.h' \
        '*/win32/*.h' '*/config.w32.h.in' '*/confutils.js'
    fit_for_windows "$1"
}

# headers_of_84 FOLDER OLDER: those of Debian 13's php8.4-dev.
headers_of_84() {
    local package=php8.4-dev package_version
    read_lists deb trixie || return 1
    package_version=$(candidate "$package")
    fetch_headers "$scratch/dev" || return 1
    mv "$(echo "$scratch"/dev/usr/include/php/*)" "$1"
    fit_for_windows "$1" "$2"
}

# fit_for_windows FOLDER [OLDER]: adds what PHP's configure.js writes; and win32/, where a package has all headers but these, of an older
# version.
fit_for_windows() {
    [ $# -eq 1 ] || cp -r "$2/win32" "$1"
    sed 's/@[A-Z_]*@//g' "$1/win32/build/config.w32.h.in" >"$1/main/config.w32.h"
    : >"$1/main/config.pickle.h"
}
