# shellcheck shell=bash
# What bin/demo, bin/test and .ci/run share: find what is missing on this machine and install it, and build the
# extension in a folder of its own. To be sourced by bash with `set -euo pipefail`. PHP_CONFIG names the php-config of the PHP to
# use; without it, it is the one in the path.

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
    [[ $2 != -h && $2 != --help ]] || exit 0
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

# at_exit COMMAND: runs it when the script ends, also by a signal.
at_exit() {
    # shellcheck disable=SC2064 # it is a command already
    trap "$1" EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
}

have() {
    command -v "$1" >/dev/null 2>&1
}

cores() {
    nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2
}

# start_time: the µs that this machine takes to start a program, which are mostly page faults: 1 000 to 2 000 are usual.
start_time() {
    local began=${EPOCHREALTIME:-0} ended # which a bash before 5 does not have
    for _ in {1..20}; do
        "$BASH" -c :
    done
    ended=${EPOCHREALTIME:-0}
    echo $(((${ended/[.,]/} - ${began/[.,]/}) / 20))
}

# starts_slowly: whether that is long, since the machine is busy, or a virtual one whose page faults are slow. Tests that mostly
# wait elsewhere compute there, so more of them side by side only disturb each other.
starts_slowly() {
    [ "$(start_time)" -ge 4000 ]
}

# repository_says NAME: its value in REPOSITORY.
repository_says() {
    sed -n "s/^$1=//p" "$root/REPOSITORY"
}

# told PASSED FAILED SKIPPED: the line that a run of tests ends with.
told() {
    printf '%d passed, %d failed' "$1" "$2"
    [ "$3" -eq 0 ] || printf ', %d skipped' "$3"
    printf '\n'
}

# counts_in LOG: the three numbers of its last such line; nothing if the run ended badly.
counts_in() {
    awk '/^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ { counts = sprintf("%d %d %d", $1, $3, $5) } END { print counts }' "$1"
}

# run_quietly WHAT COMMAND…: shows the command's output only if it fails.
run_quietly() {
    local output
    # In a variable and not in a file, which would stay when a signal ends this script.
    output=$("${@:2}" 2>&1 </dev/null) || {
        say "error: $1 failed: ${*:2}"
        tail -n 200 <<<"$output" >&2
        return 1
    }
}

# start_redis FOLDER [OPTION…]: a private server, with its socket in the folder; `redis` is its pid. It is in a process group of its
# own, so that a Ctrl-C reaches the script alone, which then ends it.
start_redis() {
    local i
    set -m
    "${REDISLOCK_TEST_SERVER:-redis-server}" --port 0 --unixsocket "$1/redis.sock" --unixsocketperm 700 --save '' --dir "$1" "${@:2}" \
        >"$1/redis.log" 2>&1 </dev/null &
    set +m
    redis=$!
    for ((i = 0; i < 600; i++)); do
        [ ! -S "$1/redis.sock" ] || return 0
        kill -0 "$redis" 2>/dev/null || break
        sleep 0.05
    done
    cat "$1/redis.log" >&2
    die 'the private Redis did not start'
}

# end_group PID: ends a process group of ours, if there is one, and waits until it is gone.
end_group() {
    [ -z "$1" ] || { kill -TERM -- "-$1" && wait "$1"; } 2>/dev/null || true
}

# --- Which PHP --------------------------------------------------------------------------------------------------------

# absolute PROGRAM: some of them are called in another folder.
absolute() {
    [[ $1 == [!/]*/* ]] && echo "$PWD/$1" || echo "$1"
}

# beside_config PROGRAM: what belongs to php_config. So php-config84 leads to phpize84, /opt/bin/zts-php-config to /opt/bin/zts-php.
beside_config() {
    local name=${php_config##*/}
    echo "${php_config%"$name"}${name/php-config/$1}"
}

# Fills php_config with PHP_CONFIG, else with the one in the path, and phpize and php with what belongs to it.
find_php() {
    [ -z "${PHP_CONFIG:-}" ] || have "$PHP_CONFIG" || die "PHP_CONFIG is $PHP_CONFIG: there is no such program"
    php_config=$(absolute "${PHP_CONFIG:-php-config}")
    phpize=$(beside_config phpize)
    php=$("$php_config" --php-binary 2>/dev/null || true)
    # A PHP that was moved is not where its php-config says.
    [[ $php == /* && -x $php ]] || php=$(beside_config php)
}
find_php

# minor_version_of PHP
minor_version_of() {
    "$1" -n -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'
}

# The php-fpm of this PHP, as the tests find it.
fpm_program() {
    "$php" -n -r 'require $argv[1]; echo fpm_program() ?? exit(1);' "$root/tests/php/fpm/fastcgi.inc" 2>/dev/null
}

# --- What a machine needs ---------------------------------------------------------------------------------------------
# Each need is looked for by what it does, not by a package's name: a PHP compiled by hand is as good as a package's.

# Debian has mariadbd and nginx where only root looks.
PATH=$PATH:/usr/sbin

is_there() {
    case $1 in
        php) have "$php" ;;
        phpize) has_phpize && have autoconf ;;
        cc) compiles "${CC:-cc}" ;;
        clang) compiles clang -fsanitize=address,undefined ;;
        hiredis | sqlite3 | lua5.1) have pkg-config && pkg-config --exists "$1" ;;
        openssl) have pkg-config && pkg-config --atleast-version=1.1.1 openssl ;;
        server) have "${REDISLOCK_TEST_SERVER:-redis-server}" ;;
        fpm) have "$php" && fpm_program >/dev/null ;;
        prometheus-client) PATH=/usr/bin:$PATH python3 -c 'import prometheus_client.openmetrics.parser' 2>/dev/null ;;
        spin) have spin && spin -V 2>/dev/null | grep -q '^Spin Version' ;; # other programs have this name too
        wine-headers) [ -e /usr/include/wine/wine/msvcrt/stdio.h ] ;;
        build-essential) dpkg-query -W -f '${Status}' build-essential 2>/dev/null | grep -qx 'install ok installed' ;;
        ext-*) have "$php" && "$php" -r "exit(extension_loaded('${1#ext-}') ? 0 : 1);" ;;
        *) have "$1" ;;
    esac
}

# compiles COMPILER [OPTION…]
compiles() {
    have "$1" && printf '#include <stdio.h>\nint main(void) { return 0; }\n' | "$@" -xc -o /dev/null - 2>/dev/null
}

has_phpize() {
    have "$phpize" && have "$php_config"
}

# packages_for NEED…: in one line.
packages_for() {
    # What brings that which is not in a package of its own name. php@ is the PHP that is in use, clang@ the version of clang:
    # the sanitizers' runtime is only recommended by the compiler's package.
    local -A brought_by=(
        [php]=php@-cli [phpize]=php@-dev [fpm]=php@-fpm [pecl]=php-pear [ext-dom]=php@-xml [ext-pdo_mysql]=php@-mysql
        [ext-pdo_sqlite]=php@-sqlite3 [ext-openssl]=php@-cli [ext-pcntl]=php@-cli [ext-posix]=php@-cli [cc]='gcc libc6-dev'
        [clang]='clang libclang-rt-clang@-dev' [hiredis]='libhiredis-dev pkg-config' [openssl]='libssl-dev pkg-config'
        [sqlite3]='libsqlite3-dev pkg-config' [lua5.1]='liblua5.1-0-dev pkg-config' [server]=${REDISLOCK_TEST_SERVER:-redis-server}
        [mariadbd]=mariadb-server [script]=bsdutils [pgrep]=procps [musl-gcc]=musl-tools [nm]=binutils [dh]=debhelper
        [dh_php]=dh-php [man]=man-db [promtool]=prometheus [prometheus-client]=python3-prometheus-client [xz]=xz-utils
        [unshare]=util-linux [taskset]=util-linux [x86_64-w64-mingw32-gcc-win32]=gcc-mingw-w64-x86-64-win32
        [i686-w64-mingw32-gcc-win32]=gcc-mingw-w64-i686-win32 [node]=nodejs [wine]='wine wine64'
        [wine-headers]=libwine-dev [x86_64-w64-mingw32-windmc]=binutils-mingw-w64-x86-64
    )
    local item version='' compiler packages=''
    # Beside Debian's own PHP there may be others: what is added must fit the one that runs.
    if have "$php"; then
        version=$(minor_version_of "$php")
    elif [[ ${php_config##*/} =~ ^php-config([0-9]+\.[0-9]+)$ ]]; then
        version=${BASH_REMATCH[1]}
    fi
    apt-cache show "php$version-dev" >/dev/null 2>&1 || version=
    compiler=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p')
    for item in "$@"; do
        [ "$item" != phpize ] || ! has_phpize || item=autoconf
        packages+=" ${brought_by[$item]:-${item/#ext-/php@-}}"
    done
    packages=${packages//clang@/$compiler} packages=${packages//php@/php$version}
    echo "${packages# }"
}

# as_root COMMAND…: by sudo, where this is not root.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# Whether that works: without a terminal, sudo must not ask for a password.
can_install() {
    [ "$(id -u)" = 0 ] || { have sudo && { [ -t 0 ] || sudo -n true 2>/dev/null; }; }
}

# apt_get ARGUMENT…: as root. Others may use apt at the same time: the package database is waited for.
apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"
}

# Reads the package lists anew. For them apt does not wait, and a machine that has just started often reads them by itself.
update_lists() {
    local output tries=100
    until output=$(apt_get update -q 2>&1); do
        tries=$((tries - 1))
        [[ $output == */lists/lock* && $tries -gt 0 ]] || { echo "$output" && return 1; }
        sleep 3
    done
}

# apt_install PACKAGE…: Debian starts the services that it installs: a Redis on port 6379 that nobody asked for would outlive
# the tests, so for the while of the installation the policy is not to.
#
# Packages are kept in a folder of our own: where Debian runs in a container, whoever ends an update or an installation
# removes all that is in the usual one.
apt_install() {
    local policy=/usr/sbin/policy-rc.d status=0 archives
    archives=$(mktemp -d "${TMPDIR:-/tmp}/redislock-packages.XXXXXX")
    chmod 755 "$archives"
    if [ -e "$policy" ]; then
        policy=
    else
        as_root install /dev/stdin "$policy" <<<$'#!/bin/sh\nexit 101'
    fi
    run_quietly 'installing packages' apt_get -o "Dir::Cache::Archives=$archives" install -qy --no-install-recommends "$@" || status=$?
    as_root rm -rf "$archives" ${policy:+"$policy"}
    return "$status"
}

# needs_another_php NEED…: ends with what the PHP here lacks of them, if it came with no package: then none brings it.
needs_another_php() {
    local item
    local -a lacks=()
    have "$php" && ! dpkg-query -S "$(readlink -f "$(command -v "$php")")" >/dev/null 2>&1 || return 0
    for item in "$@"; do
        case $item in
            phpize) has_phpize || lacks+=("$phpize") ;;
            fpm | ext-*) lacks+=("$item") ;;
        esac
    done
    [ ${#lacks[@]} -eq 0 ] || die "$php came with no package, and lacks: ${lacks[*]}. CONTRIBUTING.md says how such a PHP is configured"
}

# one_at_a_time NAME COMMAND…: another of these scripts that does the same is waited for, where this one can write.
one_at_a_time() {
    { mkdir -p "$root/.build" && exec 9>"$root/.build/$1" && flock 9; } 2>/dev/null || true
    "${@:2}"
    exec 9>&-
}

# need NEED…: makes sure that they are there, or says exactly how to get them. While another script installs something, half of it
# may be there already.
need() {
    one_at_a_time packages.lock install_missing "$@"
}

install_missing() {
    local item packages
    local -a missing=()
    for item in "$@"; do
        is_there "$item" || missing+=("$item")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    have apt-get || die "missing: ${missing[*]}. docs/install.md says in which packages other systems have them"
    needs_another_php "${missing[@]}"
    can_install || die "missing: ${missing[*]}. Run as root: apt-get update && apt-get install --no-install-recommends $(packages_for "${missing[@]}")"
    # Before packages are named: a new machine has no lists yet, and some names have a version in them that the lists tell.
    say "missing: ${missing[*]}"
    run_quietly 'updating the package lists' update_lists || die 'could not read the package lists'
    packages=$(packages_for "${missing[@]}")
    say "installing $packages"
    # shellcheck disable=SC2086 # a list
    apt_install $packages || die "could not install $packages"
    find_php
    for item in "${missing[@]}"; do
        is_there "$item" || die "$item is still missing after the installation of $packages"
    done
}

# --- PHP --------------------------------------------------------------------------------------------------------------

check_php() {
    "$php" -r 'exit(PHP_VERSION_ID < 80200 ? 1 : 0);' || die "PHP 8.2 or newer is needed; $php is $("$php" -r 'echo PHP_VERSION;')"
    [ "$("$php" -n -r 'echo PHP_VERSION, " ", basename(PHP_EXTENSION_DIR);')" = \
        "$("$php_config" --version) $(basename "$("$php_config" --extension-dir)")" ] &&
        [ "$("$phpize" --version | sed -n 's/^Zend Module Api No: *//p')" = "$("$php" -n -i | sed -n 's/^PHP Extension => //p')" ] ||
        die "$php, $php_config and $phpize are not of the same PHP: name the php-config of one whose programs are beside it in PHP_CONFIG"
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
    local -a differ=()
    while IFS= read -r file; do
        [ -e "$into/$file" ] && cmp -s "$root/$file" "$into/$file" || differ+=("$file")
    done < <("$root/bin/sources")
    mkdir -p "$into"
    [ ${#differ[@]} -eq 0 ] || tar -C "$root" -cf - "${differ[@]}" | tar -C "$into" -xmf -
    while IFS= read -r file; do
        if [ ! -e "$root/$file" ]; then
            # What was made from it, or names it, is stale.
            rm "$into/$file"
            find "$into" \( -name '*.lo' -o -name '*.dep' \) -delete
        fi
    done < <("$root/bin/sources" --in="$into")
}

# compile FOLDER [OPTION…]: makes the module in a folder that has the sources, with these options of configure.
compile() {
    run_quietly phpize in_folder "$1" "$phpize"
    run_quietly configure in_folder "$1" ./configure --with-php-config="$(command -v "$php_config")" "${@:2}"
    run_quietly make in_folder "$1" make -j"$(cores)"
}

build_needs=(php phpize cc make hiredis openssl)

# build NEED…: with what the script itself needs, so that one message tells all that is missing.
build() {
    check_checkout
    need "${build_needs[@]}" "$@"
    check_php
    extension=$(build_folder)/modules/redislock.so
    one_at_a_time lock bring_up_to_date "$(build_folder)"
    [ -e "$extension" ] || die "make made no $extension"
}

# bring_up_to_date FOLDER
bring_up_to_date() {
    local identity
    identity=$(build_identity | cksum)
    if [ "$(cat "$1/identity" 2>/dev/null)" = "$identity" ]; then
        copy_sources "$1"
        run_quietly make in_folder "$1" make -j"$(cores)"
        return
    fi
    say "configuring for PHP $("$php_config" --version)"
    rm -rf "$1"
    mkdir -p "$1"
    cp "$root/config.m4" "$root/Makefile.frag" "$1"
    copy_sources "$1"
    # clang's own form of debug information is newer than what valgrind reads.
    # shellcheck disable=SC2086 # REDISLOCK_CONFIGURE is a list of options
    CFLAGS=${CFLAGS:--g -O2 -gdwarf-4} compile "$1" ${REDISLOCK_CONFIGURE:-}
    echo "$identity" >"$1/identity"
}

in_folder() (
    cd "$1" || exit
    shift
    "$@"
)
