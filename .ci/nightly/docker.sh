# packaging/docker/Dockerfile and a Dockerfile of docs/install.md, built as they stand by buildah, which needs no daemon.
#
# What they begin with is not the official image itself, but a Debian that has what an extension finds there: a PHP compiled
# from its source below /usr/local, by the image's compiler options, and scripts that take the steps of the image's own. The PHP
# is that of this machine's Debian, so the names of the images have its version. So this does not show that the image's scripts
# still take these steps, nor that other extensions of an image do no harm; those here are few. There is no Alpine here, and no
# image of PIE's, so the other Dockerfiles of docs/install.md are not tried.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../chroot.sh
. "$(dirname "$0")/../chroot.sh"
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"

need buildah redis-server

# builder COMMAND…: buildah, with a store that goes with the gate.
builder() {
    buildah --root "$scratch/store" --runroot "$scratch/run" --storage-driver vfs "$@"
}

# docker build…: as a reader would.
docker() {
    [ "$1" = build ] || die "docker $1"
    run_quietly "docker $*" builder build --isolation=chroot --network=host --pull=never "${@:2}"
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

# At its end the server writes to its folder, which must not go before.
end_server() {
    local server
    server=$(cat "$scratch/server/redis.pid")
    kill "$server" || true
    while kill -0 "$server" 2>/dev/null; do sleep 0.1; done
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

# locks IMAGE: whether its PHP has a module that takes a lock.
locks() {
    # shellcheck disable=SC2016 # it is PHP
    if within "$1" php -r '
        $lock = new RedisLock("unix:///srv/redis/redis.sock");
        $other = new RedisLock("unix:///srv/redis/redis.sock");
        exit($lock->lock("SKU0001") && !$other->lock("SKU0001") && $lock->unlock("SKU0001") ? 0 : 1);' &&
        grep -q '^TLS.* => yes' <<<"$(within "$1" php --ri redislock)" && grep -qx redislock <<<"$(within "$1" php-fpm -m)"; then
        echo "$1 locks: $(within "$1" php -r 'echo "PHP ", PHP_VERSION, " in ", PHP_BINDIR;')"
        passed=$((passed + 1))
    else
        complain "$1 does not lock"
        failed=$((failed + 1))
    fi
}

mkdir "$scratch/php" "$scratch/server" "$scratch/download"
read_lists deb-src "$(own_suite)" || die "$why_not"
read -r package version <<<"$(newest_php)"
[ -n "${version:-}" ] || die "$(own_suite) has no source package of PHP"
minor=${package#php}
run_quietly "getting the source of $package" in_folder "$scratch/download" own_apt apt-get source --download-only "$package=$version"
mv "$scratch"/download/*.orig.tar.xz "$scratch/php/php.tar.xz"

cat >"$scratch/php/docker-php-ext-configure" <<'SCRIPT'
#!/bin/sh -e
export CFLAGS="$PHP_CFLAGS" CPPFLAGS="$PHP_CPPFLAGS" LDFLAGS="$PHP_LDFLAGS"
tar -xf /usr/src/php.tar.xz -C /usr/src/php --strip-components=1
cd "/usr/src/php/ext/$1"
shift
phpize
./configure --build="$(dpkg-architecture --query DEB_BUILD_GNU_TYPE)" --enable-option-checking=fatal "$@"
SCRIPT
cat >"$scratch/php/docker-php-ext-install" <<'SCRIPT'
#!/bin/sh -e
export CFLAGS="$PHP_CFLAGS" CPPFLAGS="$PHP_CPPFLAGS" LDFLAGS="$PHP_LDFLAGS"
cd "/usr/src/php/ext/$1"
[ -e Makefile ] || docker-php-ext-configure "$1"
make
strip --strip-all modules/*.so
make install
docker-php-ext-enable "$1"
make clean
SCRIPT
cat >"$scratch/php/docker-php-ext-enable" <<'SCRIPT'
#!/bin/sh -e
[ -f "$(php -r 'echo ini_get("extension_dir");')/$1.so" ]
if php -r 'exit(extension_loaded($argv[1]) ? 0 : 1);' "$1"; then
    echo "warning: $1 is already loaded" >&2
else
    echo "extension=$1" >>"$PHP_INI_DIR/conf.d/docker-php-ext-$1.ini"
fi
SCRIPT
chmod +x "$scratch"/php/docker-php-ext-*
cat >"$scratch/php/Dockerfile" <<'DOCKERFILE'
ARG SUITE
FROM debian:${SUITE}
ENV PHPIZE_DEPS="autoconf dpkg-dev file g++ gcc libc-dev make pkg-config re2c" PHP_INI_DIR=/usr/local/etc/php \
    PHP_CFLAGS="-fstack-protector-strong -fpic -fpie -O2 -D_LARGEFILE_SOURCE -D_FILE_OFFSET_BITS=64" \
    PHP_CPPFLAGS="-fstack-protector-strong -fpic -fpie -O2 -D_LARGEFILE_SOURCE -D_FILE_OFFSET_BITS=64" \
    PHP_LDFLAGS="-Wl,-O1 -pie"
# Of Debian's own PHP the image wants nothing.
RUN printf 'Package: php*\nPin: release *\nPin-Priority: -1\n' >/etc/apt/preferences.d/no-debian-php
RUN apt-get update && apt-get install -y --no-install-recommends $PHPIZE_DEPS ca-certificates curl xz-utils
COPY php.tar.xz /usr/src/
RUN apt-get install -y --no-install-recommends libssl-dev && mkdir -p "$PHP_INI_DIR/conf.d" /usr/src/build && cd /usr/src/build \
 && tar -xf /usr/src/php.tar.xz --strip-components=1 \
 && CFLAGS="$PHP_CFLAGS" CPPFLAGS="$PHP_CPPFLAGS" LDFLAGS="$PHP_LDFLAGS" ./configure --sysconfdir=/usr/local/etc \
    --with-config-file-path="$PHP_INI_DIR" --with-config-file-scan-dir="$PHP_INI_DIR/conf.d" --enable-option-checking=fatal \
    --with-pic --disable-all --disable-cgi --disable-phpdbg --without-pear --enable-fpm --enable-ctype --enable-posix \
    --enable-tokenizer --with-openssl \
 && make -j"$(nproc)" && make install && cd / && rm -rf /usr/src/build && strip --strip-all /usr/local/bin/php /usr/local/sbin/php-fpm \
 && apt-get purge -y libssl-dev && rm -rf /var/lib/apt/lists/*
COPY docker-php-ext-* /usr/local/bin/
DOCKERFILE

redis-server --port 0 --unixsocket "$scratch/server/redis.sock" --dir "$scratch/server" --pidfile "$scratch/server/redis.pid" --save '' \
    --appendonly yes --daemonize yes >/dev/null
until [ -S "$scratch/server/redis.sock" ] && [ -s "$scratch/server/redis.pid" ]; do sleep 0.1; done
trap 'end_server; rm -rf "$scratch"' EXIT

# The command of docs/install.md, in a checkout.
git clone -q "$root" "$scratch/redislock"
[ -z "$(git -C "$root" status --porcelain)" ] || say 'note: what is not committed is not tried here'
command=$(sed -n "/^docker build /s/PHP=8\.4-fpm-bookworm/PHP=$minor-fpm-bookworm/p" "$root/docs/install.md")
[ "$(grep -c . <<<"$command")" -eq 1 ] || die 'docs/install.md has not one command that builds an image'
php_image bookworm
in_folder "$scratch/redislock" eval "$command" || complain "$command"
locks shop
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
awk '/^```dockerfile$/ { text = ""; inside = 1; next } /^```$/ { if (inside && index(text, "FROM php:8.4-fpm-trixie")) printf "%s", text; inside = 0 }
    inside { text = text $0 "\n" }' "$root/docs/install.md" | sed "s/php:8\.4-/php:$minor-/" >"$scratch/shop/Dockerfile"
[ -s "$scratch/shop/Dockerfile" ] || die 'docs/install.md has no Dockerfile for Debian 13'
mv "$scratch/redislock" "$scratch/shop/redislock"
php_image trixie
docker build --tag shop13 "$scratch/shop" || complain 'the Dockerfile with the library'
locks shop13
finish_counted
