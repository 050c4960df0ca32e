# What is built for those who do not compile: the binaries of a release, images, Debian's packages.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"
# shellcheck source=../deb.sh
. "$(dirname "$0")/../deb.sh"
long=(binaries images debs)

# lock_and_unlock SOCKET: the PHP that takes a lock, which another client then does not get, and releases it.
lock_and_unlock() {
    echo "[\$lock, \$other] = [new RedisLock('unix://$1'), new RedisLock('unix://$1')];
        exit(\$lock->lock('SKU0001') && !\$other->lock('SKU0001') && \$lock->unlock('SKU0001') ? 0 : 1);"
}

# For the PHPs that can be had here: without threads and with them, Debian's and newer ones, all built on this Debian 12. Each takes
# a lock in a bare system without hiredis; one stands beside an extension with a hiredis of its own.
binaries() {
    [ "$(own_suite)" = bookworm ] || not_here 'binaries are built on Debian 12'
    need php phpize cc hiredis openssl redis-server unzip zip
    configs=("$(command -v "$php_config")")
    # Debian 13's PHP, by its headers.
    read_lists deb trixie || die "$why_not"
    package=php8.4-dev
    package_version=$(candidate "$package")
    fetch_headers "$scratch/php-8.4" || die "$why_not"
    moved 8.4
    # And those that no stable Debian has.
    newer=()
    for version in "${newer_phps[@]}"; do
        headers_of "$version" || { skip "PHP $version: $why_not" && continue; }
        moved "$version"
        newer+=("$version")
    done
    # With threads, but not for debugging.
    zts_options=(--disable-all --enable-zts --enable-cli --disable-cgi --disable-phpdbg --without-pear --enable-pcntl --enable-posix
        --enable-zend-max-execution-timers)
    zts_php
    configs+=("$PHP_CONFIG")
    zts=${PHP_CONFIG%/bin/php-config}

    env -u PHP_CONFIG "$root/bin/package-binaries" --into="$scratch/binaries" "${configs[@]}"
    in_folder "$scratch/binaries" sha256sum --check --quiet SHA256SUMS || complain 'SHA256SUMS'

    php_root bookworm 8.2
    locks_with "$(zip_of 8.2 '')" php8.2
    mkdir -p "$box$zts"
    cp -R "$zts/bin" "$box$zts/"
    locks_with "$(zip_of 8.2 -zts)" "$zts/bin/php"
    php_root trixie 8.4
    locks_with "$(zip_of 8.4 '')" php8.4
    for version in "${newer[@]}"; do
        newest_root "php$version-cli"
        if [ -z "$why_not" ]; then
            locks_with "$(zip_of "$version" '')" "php$version"
        else
            skip "PHP $version: $why_not"
        fi
    done

    # The neighbour talks to a server by the system's hiredis, in front of the module and behind it.
    read -ra options <<<"$("${configs[0]}" --includes) $(pkg-config --cflags hiredis)"
    cc -shared -fPIC -o "$scratch/neighbour.so" "${options[@]}" "$root/.ci/neighbour.c" -lhiredis
    unzip -qo "$(zip_of 8.2 '')" redislock.so -d "$scratch"
    start_redis "$scratch"
    for order in 'neighbour redislock' 'redislock neighbour'; do
        read -ra modules <<<"$order"
        holds "loaded as $order, one of them does not work" \
            php8.2 -n -d "extension=$scratch/${modules[0]}.so" -d "extension=$scratch/${modules[1]}.so" -r '
            $lock = new RedisLock("unix://$argv[1]");
            for ($i = 0; $i < 100; $i++) {
                if (!neighbour_ping($argv[1]) || !$lock->lock("SKU0001") || !neighbour_ping($argv[1]) || !$lock->unlock("SKU0001")) {
                    exit(1);
                }
            }' "$scratch/redis.sock"
    done
    end_group "$redis"
}

# moved VERSION: the php-config of what a -dev package of Debian has below $scratch/php-VERSION, led to where it is.
moved() {
    local folder=$scratch/php-$1/usr
    sed -i -e "s|^prefix=.*|prefix='$folder'|" -e 's|\$prefix/share/aclocal|/usr/share/aclocal|' "$folder/bin/"{phpize,php-config}"$1"
    configs+=("$folder/bin/php-config$1")
}

# php_root SUITE VERSION: fills `box` with a bare system that has this PHP.
php_root() {
    new_root "$1" "bare-$1"
    inside sh -c "apt-get update -q && apt-get install -qy --no-install-recommends php$2-cli" >"$scratch/log" 2>&1 || die "$(apts_words "$scratch/log")"
}

# zip_of VERSION SUFFIX
zip_of() {
    find "$scratch/binaries" -name "php_redislock-*_php$1-*-glibc$2.zip"
}

# locks_with ZIP PHP: the module of the zip, in the box, with the PHP there.
locks_with() {
    prints_nothing 'the system has a hiredis' find "$box" -xdev -name 'libhiredis*'
    run_quietly unzip unzip -o "$1" redislock.so -d "$box/srv"
    start_redis "$box/srv"
    holds "${1##*/} does not lock" inside "$2" -n -d extension=/srv/redislock.so -r "$(lock_and_unlock /srv/redis.sock)"
    echo "${1##*/}: PHP $(inside "$2" -n -r 'echo PHP_VERSION, PHP_ZTS ? " with" : " without", " threads";')"
    # All of it, since a PHP that cannot write to the end has failed.
    grep -q '^TLS.* => yes' <<<"$(inside "$2" -n -d extension=/srv/redislock.so --ri redislock)" || complain "${1##*/} has no TLS"
    end_group "$redis"
}

# packaging/docker/Dockerfile and a Dockerfile of docs/install.md, built as they stand by buildah, which needs no daemon.
#
# What they begin with is not the official image itself, but a Debian that has what an extension finds there: a PHP compiled
# from its source below /usr/local, by the image's compiler options, and scripts that take the steps of the image's own: .ci/docker.
# The PHP is that of this machine's Debian, so the names of the images have its version. So this does not show that the image's
# scripts still take these steps, nor that other extensions of an image do no harm; those here are few. There is no Alpine here, and
# no image of PIE's, so the other Dockerfiles of docs/install.md are not tried.
images() {
    need buildah redis-server
    mkdir "$scratch/server" "$scratch/download"
    newest_php
    fetch_source "$scratch/download"
    minor=${package#php}
    cp -R "$root/.ci/docker" "$scratch/php"
    mv "$scratch"/download/*.orig.tar.xz "$scratch/php/php.tar.xz"
    start_redis "$scratch/server" --appendonly yes
    trap 'end_group "$redis"' EXIT

    # The command of docs/install.md, in a checkout.
    git clone -q "$root" "$scratch/redislock"
    [ -z "$(git -C "$root" status --porcelain)" ] || say 'note: what is not committed is not tried here'
    command=$(sed -n "/^docker build /s/PHP=8\.4-fpm-bookworm/PHP=$minor-fpm-bookworm/p" "$root/docs/install.md")
    [ "$(grep -c . <<<"$command")" -eq 1 ] || die 'docs/install.md has not one command that builds an image'
    php_image bookworm
    in_folder "$scratch/redislock" eval "$command" || complain "$command"
    image_locks shop
    said=$(within shop redislock --server=unix:///srv/redis/redis.sock ping 2>&1) || complain "redislock ping: $said"
    # It says that it adds two files, beside the line that switches them on.
    files_of "php:$minor-fpm-bookworm" >"$scratch/before"
    files_of shop >"$scratch/behind"
    added=$(comm -13 "$scratch/before" "$scratch/behind" | sed 's|extensions/[^/]*|extensions/…|')
    [ "$added" = './usr/local/bin/redislock
./usr/local/etc/php/conf.d/docker-php-ext-redislock.ini
./usr/local/lib/php/extensions/…/redislock.so' ] || complain "it adds $added"

    # The one with the library, whose folder has a checkout.
    mkdir "$scratch/shop"
    block 'FROM php:8.4-fpm-trixie' docs/install.md dockerfile | sed "s/php:8\.4-/php:$minor-/" >"$scratch/shop/Dockerfile"
    [ -s "$scratch/shop/Dockerfile" ] || die 'docs/install.md has no Dockerfile for Debian 13'
    mv "$scratch/redislock" "$scratch/shop/redislock"
    php_image trixie
    docker build --tag shop13 "$scratch/shop" || complain 'the Dockerfile with the library'
    image_locks shop13
}

# docker build…: as a reader would.
docker() {
    [ "$1" = build ] || die "docker $1"
    run_quietly "docker $*" builder build --isolation=chroot --network=host --pull=never "${@:2}"
}

# builder COMMAND…: buildah, with a store that goes with the step.
builder() {
    buildah --root "$scratch/store" --runroot "$scratch/run" --storage-driver vfs "$@"
}

# within IMAGE COMMAND…: what it prints. The server's socket is in /srv/redis there.
within() {
    local container status=0
    container=$(builder from --pull=never "$1")
    builder run --isolation=chroot --network=host --volume "$scratch/server:/srv/redis" "$container" -- "${@:2}" || status=$?
    builder rm "$container" >/dev/null
    return "$status"
}

# files_of IMAGE
files_of() {
    local container
    container=$(builder from --pull=never "$1")
    in_folder "$(builder mount "$container")" find . -xdev -type f | sort
    builder rm "$container" >/dev/null
}

# php_image SUITE: makes the image php:VERSION-fpm-SUITE.
php_image() {
    local base
    new_root "$1"
    base=$(builder from scratch)
    builder copy --quiet "$base" "$box" / >/dev/null
    builder commit --quiet --rm "$base" "debian:$1" >/dev/null
    rm -rf "$box"
    docker build --build-arg "SUITE=$1" --tag "docker.io/library/php:$minor-fpm-$1" "$scratch/php"
}

# image_locks IMAGE: whether its PHP has a module that takes a lock.
image_locks() {
    holds "$1 does not lock" within "$1" php -r "$(lock_and_unlock /srv/redis/redis.sock)"
    holds "$1 has no TLS" grep -q '^TLS.* => yes' <<<"$(within "$1" php --ri redislock)"
    holds "its PHP-FPM has no redislock" grep -qx redislock <<<"$(within "$1" php-fpm -m)"
    echo "$1: $(within "$1" php -r 'echo "PHP ", PHP_VERSION, " in ", PHP_BINDIR;')"
}

# Debian's packages, on Debian 12 and 13: without a word of lintian's; a lock by the one line in a bare system; and a purge that
# leaves all as it was. Then an upgrade to a next version, and the way back, while PHP-FPM serves requests that lock.
debs() {
    for suite in bookworm trixie; do
        new_root "$suite"
        clone_inside
        inside apt-get update -q
        if make_packages --lintian && make_next_packages && try_packages "$suite"; then
            compare_with_never "$suite"
            try_upgrade "$suite"
        fi
        rm -rf "${scratch:?}/$suite" "$scratch"/{deb,next,bare,never,upgrade}
    done
}

steps "$@"
