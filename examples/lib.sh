# shellcheck shell=bash disable=SC2154 # php_config is bin/lib.sh's
# A private MariaDB for an example, in a folder that goes with it and what runs there. To be sourced after bin/lib.sh.

folder=$(mktemp -d "${TMPDIR:-/tmp}/redislock-sale.XXXXXX")
jobs=() redis=''
clean_up() {
    local job
    for job in "${jobs[@]}" "$redis"; do
        end_group "$job"
    done
    rm -rf "$folder"
}
at_exit clean_up

# start NAME COMMAND…: in the background, as a process group of its own, since some of these have children.
start() {
    local name=$1
    shift
    set -m
    "$@" >"$folder/$name.log" 2>&1 </dev/null &
    set +m
    jobs+=($!)
}

# until_up NAME COMMAND…: until the command works; at most for 30 s.
until_up() {
    local name=$1 i
    shift
    for ((i = 0; i < 300; i++)); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.1
    done
    cat "$folder/$name.log" >&2
    die "$name does not come up"
}

# The database `shop`, for root without a password, at $folder/db.sock.
start_database() {
    local program client
    local -a as=(--no-defaults "--datadir=$folder/database")
    [ "$(id -u)" != 0 ] || as+=(--user=root)
    program=$(command -v mariadbd)
    client=$(command -v mariadb)
    run_quietly 'making the database' mariadb-install-db "${as[@]}" --auth-root-authentication-method=normal --skip-test-db
    # As MySQL, and MariaDB before 11.6, come. Newer ones end the wrong order with an error instead.
    start database "$program" "${as[@]}" --socket="$folder/db.sock" --skip-networking --pid-file="$folder/db.pid" \
        --innodb-flush-log-at-trx-commit=2 --loose-innodb-snapshot-isolation=OFF
    until_up database "$client" --no-defaults --socket="$folder/db.sock" --user=root --execute='CREATE DATABASE IF NOT EXISTS shop'
}
