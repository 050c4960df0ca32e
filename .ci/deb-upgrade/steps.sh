# shellcheck shell=bash
# From one version of Debian's packages to the next, back, and forth again, while PHP-FPM serves requests that lock. Runs in a
# bare system, in /srv/shop, which has the packages of the next version, and in before/ those of this one. try_upgrade() in
# ../deb.sh puts ahead of it what docs/upgrading.md says to type, as functions, and those of ../readme.sh.
set -euo pipefail
cd /srv/shop
ini=/etc/php/8.2/mods-available/redislock.ini

# What a php that starts now has: the version, and what redislock.ini sets.
version() {
    php -r 'echo phpversion("redislock"), " ", ini_get("redislock.prefix"), "\n";' 2>&1
}

is_configured() {
    [ "$(dpkg-query -W -f '${Status}' php8.2-redislock)" = 'install ok installed' ]
}

# ends_as VERSION: whether the package is configured, redislock.ini is as it was written, and a new php has this version.
ends_as() {
    is_configured || fail 'the package is not configured'
    cmp $ini /srv/ini || fail "redislock.ini is not as it was: $(cat $ini)"
    [ -e $ini.dpkg-dist ] || fail 'the redislock.ini of the package is not beside it'
    [ "$(version)" = "$1" ] || fail "a new php has '$(version)', not '$1'"
}

# no_answer PACKAGE…: installs them as the page does not, so that dpkg stops at its question.
no_answer() {
    ! apt-get install -y "$@" </dev/null || fail 'dpkg had no question'
    ! is_configured || fail 'it is configured, though nobody answered'
}

apt-get update -q
apt-get install -qy php8.2-fpm php8.2-cli redis-server
printf '; by hand\nextension=redislock\nredislock.prefix = mine:\n' | tee $ini >/srv/ini
no_answer ./before/*redislock_*.deb
[ "$(version)" = ' ' ] || fail "not configured, a new php has '$(version)'"
answer_and_go_on
old=$(version)
ends_as "${old%% *} mine:"

give_requests_time
redis-server --port 0 --unixsocket /srv/redis.sock --unixsocketperm 777 --dir /srv --save '' --daemonize yes
until [ -S /srv/redis.sock ]; do sleep 0.1; done
install -d -m 777 /srv/begun
touch /srv/dropped
start_fpm
# From here on, the page has to forbid restarts; where the system looks as if it had not been started, there are none anyway.
touch /sbin/init
printf '#!/bin/sh\necho N 5\n' >/sbin/runlevel
chmod 755 /sbin/runlevel
allow_restarts
for client in {1..8}; do
    php -n load.php "$client" &
done
timeout 300 bash -c "$(declare -f version); until [ -e /srv/stop ]; do version; sleep 0.02; done" >/srv/started &
sleep 2

began=${EPOCHREALTIME/[.,]/} served=$(wc -l </srv/answers)
forbid_restarts
install_new
allow_restarts
new=$(version)
[ "$new" != "$old" ] || fail 'the next version is the same'
ends_as "$new"
! are_new || fail 'the workers were new before the reload'
reload
become_new 'the upgrade'
took=$(((${EPOCHREALTIME/[.,]/} - began) / 1000)) served=$(($(wc -l </srv/answers) - served))
[ "$served" -gt 0 ] || fail 'no request was served during the upgrade'
sleep 2

forbid_restarts
install_old
allow_restarts
ends_as "$old"
reload
become_new 'the way back'
sleep 2

forbid_restarts
no_answer ./*redislock_*.deb
[ "$(version)" = "$new" ] || fail "not configured, a new php has '$(version)'"
answer_and_go_on
ends_as "$new"
reload
become_new 'the way out of a question'
sleep 2

touch /srv/stop
wait
sort -n /srv/answers | cut -d ' ' -f 3- >/srv/said
echo "$(wc -l </srv/answers) requests, $served of them in the $took ms of the first upgrade and its reload;" \
    "the slowest took $(cut -d ' ' -f 2 /srv/answers | sort -n | tail -n 1) ms;" \
    "PHP-FPM dropped $(wc -l </srv/dropped) before they began; php was started $(wc -l </srv/started) times"
# An overlap, a lock that was not had, or a request that was cut off would be a line between them.
in_turn=$(printf '%s\n' "$old" "$new" "$old" "$new")
[ "$(uniq /srv/said)" = "$in_turn" ] || fail "requests had not one version after the other: $(uniq -c /srv/said | head -n 12)"
[ "$(uniq /srv/started)" = "$in_turn" ] || fail "new processes had not: $(uniq -c /srv/started | head -n 12)"
# Each of the five workers may drop one at a reload.
[ "$(wc -l </srv/dropped)" -le 15 ] || fail 'PHP-FPM dropped too many requests'
