# PHP with threads (ZTS) and for debugging.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
# shellcheck source=../php.sh
. "$(dirname "$0")/../php.sh"
short=(zts)
long=(zts)

same_for_every_php='readme|examples|scripts|cli|inc|cluster|sentinel|redlock|replicas|half_failed|demotion|restart|migrate'

# Requests in real threads, and the same with the thread sanitizer; the phpt suite without a leak, but for what takes long, and what
# is the same for every PHP; and the handlers of signals once more, with pcntl loaded behind the module and not in front of it; all
# of it with the invariants checked (src/invariant.h), which other steps run without. In the long form, many more requests, whether
# these tests are any good, and the whole phpt suite.
zts() {
    zts_php
    cd "$root"
    export REDISLOCK_CONFIGURE=--enable-redislock-invariants
    if [ "$form" = long ]; then
        part_of tests/zts/threads --long
        part_of tests/zts/threads --long --sanitizer
        part_of tests/zts/threads --planted
        part_of bin/test tests/php
        return
    fi
    # While the suite of another step has its turn, what needs none.
    part_of tests/zts/threads
    part_of tests/zts/threads --sanitizer
    # Not the C core again, which knows no PHP, nor pages, scripts and the command, nor what depends on which servers there are.
    mapfile -t folders < <(find tests/php -mindepth 1 -maxdepth 1 -type d | grep -vE "/($same_for_every_php)\$")
    suite part_of bin/test --short "${folders[@]}"
    part_of env REDISLOCK_TEST_PCNTL=behind bin/test --no-build tests/php/{on_loss/signal_*,renew/signals_*,wait/handler*}.phpt
}

steps "$@"
