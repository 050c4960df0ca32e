# shellcheck shell=bash
# What bin/demo, bin/test and .ci/run share: find what is missing on this machine and install it, and build the
# extension in a folder of its own. To be sourced by bash with `set -euo pipefail`. PHP_CONFIG, PHPIZE and PHP name the
# PHP to use, each of them alone or together; without them it is the one in the path.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() {
    printf '%s\n' "$*" >&2
}

die() {
    say "error: $*"
    exit 1
}

# usage SCRIPT OPTION: prints the comment that opens the script, and exits: with 0 if it was asked for.
usage() {
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$1" >&2
    case $2 in
        -h | --help) exit 0 ;;
    esac
    say "error: unknown option $2"
    exit 2
}

# count NAME VALUE MOST: prints the value of an option that must be a whole number.
count() {
    if ! [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || [ "$2" -gt "$3" ]; then
        say "error: --$1 must be a whole number from 1 to $3, not \"$2\""
        exit 2
    fi
    echo "$2"
}

have() {
    command -v "$1" >/dev/null 2>&1
}

cores() {
    nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}

# starts_slowly: whether this machine takes long to start programs, since it is busy, or a virtual machine whose page faults
# are slow. Tests that mostly wait elsewhere compute there, so more of them side by side only disturb each other.
starts_slowly() {
    local began=${EPOCHREALTIME:-0}
    for _ in {1..20}; do
        "$BASH" -c :
    done
    local ended=${EPOCHREALTIME:-0}
    [ $((${ended/[.,]/} - ${began/[.,]/})) -ge $((20 * 4000)) ] # µs: 4 ms each, where 1 to 2 are usual
}

# repository_says NAME: its value in REPOSITORY.
repository_says() {
    sed -n "s/^$1=//p" "$root/REPOSITORY"
}

# run_quietly WHAT COMMAND…: shows the command's output only if it fails.
run_quietly() {
    local what=$1 output
    shift
    # In a variable and not in a file, which would stay when a signal ends this script.
    if output=$("$@" 2>&1 </dev/null); then
        return 0
    fi
    say "error: $what failed: $*"
    tail -n 200 <<<"$output" >&2
    return 1
}

# --- Which PHP --------------------------------------------------------------------------------------------------------

# sibling PROGRAM FROM TO: the program beside it that has TO for FROM in its name. So php-config84 leads to phpize84, and
# /opt/php/bin/zts-php-config to /opt/php/bin/zts-phpize.
sibling() {
    local folder='' name=${1##*/}
    [[ $1 != */* ]] || folder=${1%/*}/
    if [[ $name == *"$2"* ]]; then
        echo "$folder${name/"$2"/$3}"
    else
        echo "$folder$3"
    fi
}

# build_of PROGRAM: the version, the API, and whether it has threads and is for debugging, of a php or php-fpm.
build_of() {
    "$1" -n -i 2>/dev/null | awk -F' => ' '/^PHP (Version|Extension Build) => / && !seen[$1]++ { printf "%s ", $2 }'
}

# minor_version_of PHP
minor_version_of() {
    "$1" -n -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'
}

# Whether php_config builds for php. The name of the folder of extensions mostly tells the API, threads and debugging.
php_config_fits() {
    local threads=0
    ! grep -qs '^#define ZTS 1' "$("$php_config" --include-dir)"/main/php_config*.h || threads=1
    [ "$("$php_config" --version) $(basename "$("$php_config" --extension-dir)") $threads" = \
        "$("$php" -n -r 'echo PHP_VERSION, " ", basename(PHP_EXTENSION_DIR), " ", (int) ZEND_THREAD_SAFE;')" ]
}

# Finds the php-config of php by the names that distributions give it. Where none fits, it is the likeliest.
find_php_config() {
    local program version name likeliest
    local -a names
    likeliest=$(sibling "$php" php php-config)
    names=("$likeliest")
    if have "$php"; then
        program=$(readlink -f "$(command -v "$php")")
        version=$(minor_version_of "$php")
        names+=("$(sibling "$program" php php-config)" "php-config$version" "php-config${version//./}")
    fi
    for name in "${names[@]}"; do
        php_config=$name
        if have "$php" && have "$php_config" && php_config_fits; then
            return
        fi
    done
    php_config=$likeliest
}

# Finds the php of php_config, which tells its place. A PHP that was moved is not where it says.
find_php_of_config() {
    ! have "$php_config" || php=$("$php_config" --php-binary 2>/dev/null || true)
    if ! [[ $php == /* && -x $php ]]; then
        php=$(sibling "$php_config" php-config php)
    fi
}

# absolute PROGRAM: some of them are called in another folder.
absolute() {
    case $1 in
        /* | '') echo "$1" ;;
        */*) echo "$PWD/$1" ;;
        *) echo "$1" ;;
    esac
}

# Fills php, php_config and phpize: with what is named, else with what belongs to it.
find_php() {
    local name
    for name in PHP PHP_CONFIG PHPIZE; do
        [[ ${!name:-} != */* ]] || have "${!name}" || die "$name is ${!name}: there is no such program"
    done
    php=$(absolute "${PHP:-}") php_config=$(absolute "${PHP_CONFIG:-}") phpize=$(absolute "${PHPIZE:-}")
    [ -n "$php_config" ] || [ -z "$phpize" ] || php_config=$(sibling "$phpize" phpize php-config)
    if [ -z "$php_config" ]; then
        php=${php:-php}
        find_php_config
    fi
    [ -n "$php" ] || find_php_of_config
    [ -n "$phpize" ] || phpize=$(sibling "$php_config" php-config phpize)
}
find_php

# --- What a machine needs ---------------------------------------------------------------------------------------------
# Each need is looked for by what it does, not by a package's name: a PHP compiled by hand is as good as a package's.

is_there() {
    case $1 in
        php) have "$php" ;;
        phpize) have "$phpize" && have "$php_config" && have autoconf ;;
        cc) printf '#include <stdio.h>\nint main(void) { return 0; }\n' | "${CC:-cc}" -xc -o /dev/null - 2>/dev/null ;;
        hiredis) have pkg-config && pkg-config --exists hiredis ;;
        openssl) have pkg-config && pkg-config --atleast-version=1.1.1 openssl ;;
        sqlite) have pkg-config && pkg-config --exists sqlite3 ;;
        lua5.1) have pkg-config && pkg-config --exists lua5.1 ;;
        server) have "${REDISLOCK_TEST_SERVER:-redis-server}" ;;
        pdo_sqlite) have "$php" && "$php" -r 'exit(extension_loaded("pdo_sqlite") ? 0 : 1);' ;;
        clang) have clang && printf 'int main(void) { return 0; }\n' | clang -fsanitize=address,undefined -xc -o /dev/null - 2>/dev/null ;;
        fpm) fpm_program >/dev/null ;;
        prometheus-client) PATH=/usr/bin:$PATH python3 -c 'import prometheus_client.openmetrics.parser' 2>/dev/null ;;
        spin) have spin && spin -V 2>/dev/null | grep -q '^Spin Version' ;; # other programs have this name too
        pear) have pecl ;;
        build-essential) dpkg-query -W -f '${Status}' build-essential 2>/dev/null | grep -qx 'install ok installed' ;;
        mariadb) PATH=$PATH:/usr/sbin have mariadbd ;;
        nginx) PATH=$PATH:/usr/sbin have nginx ;;
        ext-*) have "$php" && "$php" -r "exit(extension_loaded('${1#ext-}') ? 0 : 1);" ;;
        *) have "$1" ;;
    esac
}

# The php-fpm of this PHP; distributions give it many names, and Debian has it where only root looks.
fpm_program() {
    local version name folder
    local -a names
    have "$php" || return 1
    version=$(minor_version_of "$php")
    names=("$(basename "$(sibling "$php" php php-fpm)")" "php-fpm$version" "php-fpm${version//./}" php-fpm)
    [ -z "${REDISLOCK_TEST_FPM:-}" ] || names=("$REDISLOCK_TEST_FPM")
    for name in "${names[@]}"; do
        for folder in "$("$php_config" --prefix 2>/dev/null || true)/sbin/" '' /usr/sbin/ /usr/local/sbin/; do
            [[ $name != */* ]] || folder=
            if have "$folder$name" && [ "$(build_of "$folder$name")" = "$(build_of "$php")" ]; then
                echo "$folder$name"
                return
            fi
        done
    done
    return 1
}

# package_for NEED: the packages of Debian that bring it.
package_for() {
    local version='' compiler=''
    if [ "$1" = phpize ] && have "$phpize" && have "$php_config"; then
        echo autoconf
        return
    fi
    if have "$php"; then
        # Beside Debian's own PHP there may be others: what is added must fit the one that runs.
        version=$(minor_version_of "$php")
    elif [[ ${php##*/} =~ ^php([0-9])\.?([0-9]+)$ ]]; then
        version=${BASH_REMATCH[1]}.${BASH_REMATCH[2]}
    fi
    apt-cache show "php$version-dev" >/dev/null 2>&1 || version=
    case $1 in
        php) echo "php$version-cli" ;;
        phpize) echo "php$version-dev" ;;
        cc) echo gcc libc6-dev ;;
        hiredis) echo libhiredis-dev pkg-config ;;
        openssl) echo libssl-dev pkg-config ;;
        server) echo "${REDISLOCK_TEST_SERVER:-redis-server}" ;;
        pdo_sqlite) echo "php$version-sqlite3" ;;
        # The sanitizers' runtime is only recommended by the compiler's package, under a name with its version.
        clang)
            compiler=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p')
            echo "clang${compiler:+ libclang-rt-$compiler-dev}"
            ;;
        fpm) echo "php$version-fpm" ;;
        pear) echo php-pear ;;
        man) echo man-db ;;
        mariadb) echo mariadb-server ;;
        ext-dom) echo "php$version-xml" ;;
        ext-pdo_mysql) echo "php$version-mysql" ;;
        # Debian has these in the packages that the program itself brings.
        ext-openssl | ext-pcntl | ext-posix) echo "php$version-cli" ;;
        ext-*) echo "php$version-${1#ext-}" ;;
        script) echo bsdutils ;;
        promtool) echo prometheus ;;
        prometheus-client) echo python3-prometheus-client ;;
        pgrep) echo procps ;;
        musl-gcc) echo musl-tools ;;
        nm) echo binutils ;;
        dh) echo debhelper ;;
        dh_php) echo dh-php ;;
        sqlite) echo libsqlite3-dev pkg-config ;;
        lua5.1) echo liblua5.1-0-dev pkg-config ;;
        xz) echo xz-utils ;;
        unshare | taskset) echo util-linux ;;
        *) echo "$1" ;;
    esac
}

# packages_for NEED…: those of all of them, in one line.
packages_for() {
    local item
    for item in "$@"; do
        package_for "$item"
    done | paste -sd ' ' -
}

# as_root COMMAND…: by sudo, where this is not root.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# apt_get ARGUMENT…: as root. Others may use apt at the same time: the package database is waited for.
apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"
}

# Reads the package lists anew. For them apt does not wait, and a machine that has just started often reads them by itself.
update_lists() {
    local output tries
    for ((tries = 100; tries > 0; tries--)); do
        if output=$(apt_get update -q 2>&1); then
            return
        fi
        [[ $output == */lists/lock* ]] || break
        sleep 3
    done
    echo "$output"
    return 1
}

# apt_install PACKAGE…: Debian starts the services that it installs: a Redis on port 6379 that nobody asked for would outlive
# the tests, so for the while of the installation the policy is not to.
#
# Packages are kept in a folder of our own: where Debian runs in a container, whoever ends an update or an installation
# removes all that is in the usual one.
apt_install() {
    local policy=/usr/sbin/policy-rc.d status=0 archives
    if [ -e "$policy" ]; then
        policy=
    else
        printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
        as_root chmod 755 "$policy"
    fi
    archives=$(mktemp -d "${TMPDIR:-/tmp}/redislock-packages.XXXXXX")
    chmod 755 "$archives"
    run_quietly 'installing packages' apt_get -o "Dir::Cache::Archives=$archives" install -qy --no-install-recommends "$@" || status=$?
    as_root rm -rf "$archives"
    [ -z "$policy" ] || as_root rm -f "$policy"
    return "$status"
}

# needs_another_php NEED…: ends with what the PHP here lacks of them, if it came with no package: then none brings it.
needs_another_php() {
    local program item
    local -a lacks=()
    have "$php" || return 0
    program=$(readlink -f "$(command -v "$php")")
    ! dpkg-query -S "$program" >/dev/null 2>&1 || return 0
    for item in "$@"; do
        case $item in
            phpize) have "$phpize" && have "$php_config" || lacks+=("$phpize") ;;
            fpm | pdo_sqlite | ext-*) lacks+=("$item") ;;
        esac
    done
    [ ${#lacks[@]} -eq 0 ] || die "$program came with no package, and lacks: ${lacks[*]}. CONTRIBUTING.md says how such a PHP is configured"
}

# need NEED…: makes sure that they are there, or says exactly how to get them. What another of these scripts is installing
# at the moment is waited for: half of it may be there already.
need() {
    if have flock && mkdir -p "$root/.build" 2>/dev/null && [ -w "$root/.build" ]; then
        exec 8>"$root/.build/packages.lock"
        flock 8
        install_missing "$@"
        exec 8>&-
    else
        install_missing "$@"
    fi
}

install_missing() {
    local item
    local -a missing=() packages=()
    for item in "$@"; do
        is_there "$item" || missing+=("$item")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    have apt-get || die "missing: ${missing[*]}. docs/install.md says in which packages other systems have them"
    needs_another_php "${missing[@]}"
    if ! can_install; then
        die "missing: ${missing[*]}. Run as root: apt-get update && apt-get install --no-install-recommends $(packages_for "${missing[@]}")"
    fi
    # Before packages are named: a new machine has no lists yet, and some names have a version in them that the lists tell.
    say "missing: ${missing[*]}"
    run_quietly 'updating the package lists' update_lists || die 'could not read the package lists'
    read -ra packages <<<"$(packages_for "${missing[@]}")"
    say "installing ${packages[*]}"
    apt_install "${packages[@]}" || die "could not install ${packages[*]}"
    find_php
    for item in "${missing[@]}"; do
        is_there "$item" || die "$item is still missing after the installation of ${packages[*]}"
    done
}

# Whether this is root, or sudo works here: without a terminal it must not ask for a password.
can_install() {
    [ "$(id -u)" = 0 ] || { have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }
}

# --- PHP --------------------------------------------------------------------------------------------------------------

check_php() {
    "$php" -r 'exit(PHP_VERSION_ID < 80200 ? 1 : 0);' || die "PHP 8.2 or newer is needed; $(command -v "$php") is $("$php" -r 'echo PHP_VERSION;')"
    php_config_fits ||
        die "$php is PHP $(build_of "$php"), but $php_config builds for $("$php_config" --version), $("$php_config" --extension-dir): name the ones that fit in PHP, PHPIZE and PHP_CONFIG"
    [ "$("$phpize" --version | sed -n 's/^Zend Module Api No: *//p')" = "$("$php" -n -i | sed -n 's/^PHP Extension => //p')" ] ||
        die "$phpize is not of the same PHP as $php_config: name the ones that fit in PHP, PHPIZE and PHP_CONFIG"
}

# php_load EXTENSION…: fills `php_args` with the options for a PHP without any php.ini that has them, where this PHP
# can have them: built in, or as a shared object.
php_load() {
    local name folder
    folder=$("$php_config" --extension-dir)
    php_args=(-n)
    for name in "$@"; do
        if [ -e "$folder/$name.so" ] && ! "$php" -n -r "exit(extension_loaded('$name') ? 0 : 1);"; then
            php_args+=(-d "extension=$folder/$name.so")
        fi
    done
}

# --- The build --------------------------------------------------------------------------------------------------------

# The folder of the build for this PHP, by this compiler. Never in the tree itself: there a user's own build may be. Two PHPs of
# one version differ by their folders of extensions.
build_folder() {
    echo "$root/.build/php-$("$php_config" --version)$("$php_config" --extension-dir | tr -c '[:alnum:].\n' -)${CC:+-${CC##*/}}"
}

# Whether something can be built here at all, asked before anything is installed for it.
check_checkout() {
    [[ $root != *[[:space:]]* ]] || die "phpize cannot build in \"$root\", since that path has a space in it: move the checkout to one that has none"
    if ! mkdir -p "$root/.build" 2>/dev/null || [ ! -w "$root/.build" ]; then
        die "$root/.build, where the extension is built, cannot be written to: copy the checkout to a folder of yours, and run it there"
    fi
}

# What a configured folder depends on: when it changes, the folder is made anew.
build_identity() {
    cat "$root/config.m4" "$root/Makefile.frag"
    "$php_config" --version --extension-dir --include-dir --configure-options
    pkg-config --modversion hiredis openssl
    printf '%s\n' "${CC:-}" "${CFLAGS:-}" "${REDISLOCK_CONFIGURE:-}" "$root"
}

# copy_sources FOLDER: brings it up to date, touching only what differs, so that make has little to do.
copy_sources() {
    local into=$1 file
    while IFS= read -r file; do
        if ! cmp -s "$root/$file" "$into/$file"; then
            mkdir -p "$into/$(dirname "$file")"
            cp "$root/$file" "$into/$file"
        fi
    done < <("$root/bin/sources")
    while IFS= read -r file; do
        if [ ! -e "$root/$file" ]; then
            # What was made from it, or names it, is stale.
            rm "$into/$file"
            find "$into" \( -name '*.lo' -o -name '*.dep' \) -delete
        fi
    done < <("$root/bin/sources" --in="$into")
}

build_needs=(php phpize cc make hiredis openssl)

# build NEED…: with what the script itself needs, so that one message tells all that is missing.
build() {
    local folder identity
    check_checkout
    need "${build_needs[@]}" "$@"
    check_php
    folder=$(build_folder)
    if have flock; then
        # Two of these scripts at once build one after the other.
        exec 9>"$root/.build/lock"
        flock 9
    fi
    identity=$(build_identity | cksum)
    if [ "$(cat "$folder/identity" 2>/dev/null)" != "$identity" ]; then
        say "configuring for PHP $("$php_config" --version)"
        rm -rf "$folder"
        mkdir -p "$folder"
        cp "$root/config.m4" "$root/Makefile.frag" "$folder"
        copy_sources "$folder"
        run_quietly phpize in_folder "$folder" "$phpize"
        # clang's own form of debug information is newer than what valgrind reads.
        # shellcheck disable=SC2086 # REDISLOCK_CONFIGURE is a list of options
        CFLAGS=${CFLAGS:--g -O2 -gdwarf-4} run_quietly configure in_folder "$folder" ./configure --with-php-config="$(command -v "$php_config")" ${REDISLOCK_CONFIGURE:-}
        echo "$identity" >"$folder/identity"
    else
        copy_sources "$folder"
    fi
    run_quietly make in_folder "$folder" make -j"$(cores)"
    exec 9>&-
    extension=$folder/modules/redislock.so
    [ -e "$extension" ] || die "make made no $extension"
}

in_folder() (
    cd "$1" || exit
    shift
    "$@"
)
