# The binaries of a release, for the PHPs that can be had here: without threads and with them, Debian's and newer ones, all built on
# this Debian 12. Each takes a lock in a bare system without hiredis; one stands beside an extension with a hiredis of its own.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"
# shellcheck source=../newer-php.sh
. "$(dirname "$0")/../newer-php.sh"

[ "$(own_suite)" = bookworm ] || not_here 'binaries are built on Debian 12'
need php phpize cc hiredis openssl redis-server unzip zip
configs=("$(command -v "$php_config")")

# moved VERSION: the php-config of what a -dev package of Debian has below $scratch/php-VERSION, led to where it is.
moved() {
    local folder=$scratch/php-$1/usr
    sed -i -e "s|^prefix=.*|prefix='$folder'|" -e 's|\$prefix/share/aclocal|/usr/share/aclocal|' "$folder/bin/"{phpize,php-config}"$1"
    configs+=("$folder/bin/php-config$1")
}

# locks_with ZIP PHP: the module of the zip, in the box, with the PHP there.
locks_with() {
    local found server
    found=$(find "$box" -xdev -name 'libhiredis*')
    [ -z "$found" ] || complain "the system has $found"
    run_quietly unzip unzip -o "$1" redislock.so -d "$box/srv"
    redis-server --port 0 --unixsocket "$box/srv/redis.sock" --dir "$box/srv" --pidfile "$box/srv/redis.pid" --save '' --daemonize yes >/dev/null
    until [ -S "$box/srv/redis.sock" ] && [ -s "$box/srv/redis.pid" ]; do sleep 0.1; done
    if inside "$2" -n -d extension=/srv/redislock.so -r '
        [$lock, $other] = [new RedisLock("unix:///srv/redis.sock"), new RedisLock("unix:///srv/redis.sock")];
        exit($lock->lock("SKU0001") && !$other->lock("SKU0001") && $lock->unlock("SKU0001") ? 0 : 1);'; then
        echo "${1##*/} locks: PHP $(inside "$2" -n -r 'echo PHP_VERSION, PHP_ZTS ? " with" : " without", " threads";')"
        passed=$((passed + 1))
    else
        complain "${1##*/} does not lock"
        failed=$((failed + 1))
    fi
    # All of it, since a PHP that cannot write to the end has failed.
    grep -q '^TLS.* => yes' <<<"$(inside "$2" -n -d extension=/srv/redislock.so --ri redislock)" || complain "${1##*/} has no TLS"
    server=$(cat "$box/srv/redis.pid")
    kill "$server"
    while kill -0 "$server" 2>/dev/null; do sleep 0.1; done # at its end it removes the files that the next one has too
}

# zip_of VERSION SUFFIX
zip_of() {
    find "$scratch/binaries" -name "php_redislock-*_php$1-*-glibc$2.zip"
}

# Debian 13's PHP, by its headers.
read_lists deb trixie || die "$why_not"
package=php8.4-dev
package_version=$(candidate "$package")
mkdir "$scratch/php-8.4"
fetch_headers "$scratch/php-8.4" || die "$why_not"
moved 8.4
# And those that no stable Debian has.
newer=()
for version in "${newer_phps[@]}"; do
    if headers_of "$version"; then
        cp -R "${headers%/usr/include/php/*}" "$scratch/php-$version"
        moved "$version"
        newer+=("$version")
    else
        say "skipped: PHP $version: $why_not"
        skipped=$((skipped + 1))
    fi
done
# With threads, but not for debugging.
zts_options=(--disable-all --enable-zts --enable-cli --disable-cgi --disable-phpdbg --without-pear --enable-pcntl --enable-posix
    --enable-zend-max-execution-timers)
zts_php
configs+=("$PHP_CONFIG")
zts=${PHP_CONFIG%/bin/php-config}

env -u PHP_CONFIG "$root/bin/package-binaries" --into="$scratch/binaries" "${configs[@]}"
in_folder "$scratch/binaries" sha256sum --check --quiet SHA256SUMS || complain 'SHA256SUMS'

new_root bookworm bare12
inside sh -c 'apt-get update -q && apt-get install -qy --no-install-recommends php8.2-cli' >"$scratch/log" 2>&1 || die "$(apts_words "$scratch/log")"
locks_with "$(zip_of 8.2 '')" php8.2
mkdir -p "$box$zts"
cp -R "$zts/bin" "$box$zts/"
locks_with "$(zip_of 8.2 -zts)" "$zts/bin/php"

new_root trixie bare13
inside sh -c 'apt-get update -q && apt-get install -qy --no-install-recommends php8.4-cli' >"$scratch/log" 2>&1 || die "$(apts_words "$scratch/log")"
locks_with "$(zip_of 8.4 '')" php8.4

for version in ${newer[@]+"${newer[@]}"}; do
    rm -rf "$scratch/sid"
    if (set -e && new_root sid && install_newest "php$version-cli") >"$scratch/log" 2>&1; then
        box=$scratch/sid
        locks_with "$(zip_of "$version" '')" "php$version"
    else
        say "skipped: PHP $version: $(apts_words "$scratch/log")"
        skipped=$((skipped + 1))
    fi
done

# The neighbour talks to a server by the system's hiredis, in front of the module and behind it.
cat >"$scratch/neighbour.c" <<'C'
#include <php.h>
#include <hiredis/hiredis.h>

ZEND_BEGIN_ARG_INFO_EX(arginfo, 0, 0, 1)
    ZEND_ARG_INFO(0, path)
ZEND_END_ARG_INFO()

static ZEND_FUNCTION(neighbour_ping)
{
    char *path;
    size_t length;
    if (zend_parse_parameters(ZEND_NUM_ARGS(), "s", &path, &length) == FAILURE) {
        return;
    }
    redisContext *context = redisConnectUnix(path);
    redisReply *reply = context && !context->err ? redisCommand(context, "PING %b", path, length) : NULL;
    RETVAL_BOOL(reply && reply->type == REDIS_REPLY_STRING && reply->len == length);
    freeReplyObject(reply);
    redisFree(context);
}

static const zend_function_entry functions[] = { ZEND_FE(neighbour_ping, arginfo) ZEND_FE_END };
static zend_module_entry module = { STANDARD_MODULE_HEADER, "neighbour", functions, NULL, NULL, NULL, NULL, NULL, "1", STANDARD_MODULE_PROPERTIES };

ZEND_DLEXPORT zend_module_entry *get_module(void)
{
    return &module;
}
C
read -ra options <<<"$("${configs[0]}" --includes) $(pkg-config --cflags hiredis)"
cc -shared -fPIC -o "$scratch/neighbour.so" "${options[@]}" "$scratch/neighbour.c" -lhiredis
unzip -qo "$(zip_of 8.2 '')" redislock.so -d "$scratch"
redis-server --port 0 --unixsocket "$scratch/redis.sock" --dir "$scratch" --pidfile "$scratch/redis.pid" --save '' --daemonize yes >/dev/null
until [ -S "$scratch/redis.sock" ] && [ -s "$scratch/redis.pid" ]; do sleep 0.1; done
for order in 'neighbour redislock' 'redislock neighbour'; do
    read -ra modules <<<"$order"
    php8.2 -n -d "extension=$scratch/${modules[0]}.so" -d "extension=$scratch/${modules[1]}.so" -r '
        $lock = new RedisLock("unix://$argv[1]");
        for ($i = 0; $i < 100; $i++) {
            if (!neighbour_ping($argv[1]) || !$lock->lock("SKU0001") || !neighbour_ping($argv[1]) || !$lock->unlock("SKU0001")) {
                exit(1);
            }
        }' "$scratch/redis.sock" || complain "loaded as $order, one of them does not work"
    passed=$((passed + 1))
done
kill "$(cat "$scratch/redis.pid")"
finish_counted
