# Real workers and servers under faults, judged by what they have logged or written.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
short=(chaos mariadb)
long=(chaos mariadb)

# Five mixes of faults for a short while with a seed that stays; and whether the checker finds planted bugs. In the long form until a
# million locks were granted.
chaos() {
    [ "$form" = short ] || { chaos_until_granted 1000000; return; }
    # One build for all.
    build server ext-posix ext-pcntl
    mkdir "$scratch/logs"
    cd "$root"
    # Side by side, since they mostly wait.
    {
        printf 'bin/chaos --no-build --seed=37 --seconds=15 --mix=%s\n' single,queue local,redlock3,cache
        echo tests/chaos/planted
    } | xargs -P 3 -I{} sh -c '{} >"$0/$$" 2>&1 </dev/null || exit 1' "$scratch/logs" || complain 'a mix of faults, or a planted bug that was not found'
    # What failed comes last, since of a long log only the end is shown.
    while IFS= read -r log; do
        cat "$log"
        add_counts "$log"
    done < <(grep -l ', 0 failed$' "$scratch"/logs/* && true; grep -L ', 0 failed$' "$scratch"/logs/*)
}

# chaos_until_granted WANTED: all mixes with new seeds, which are printed; and whether bugs that are planted in logs, workers and the
# extension are found.
chaos_until_granted() {
    grants=0
    # A run that grants next to nothing must not go on for ever; the rest of a long step's time is for what is planted.
    until=$((SECONDS + 5400))
    first=$(((RANDOM << 15 | RANDOM) % 900000000 + 1))
    for ((seed = first; grants < $1 && failed == 0; seed++)); do
        if [ "$SECONDS" -ge "$until" ]; then
            complain "only $grants grants in $SECONDS s"
            break
        fi
        part_of "$root/bin/chaos" --seed="$seed" --seconds=60
        # The list of outcomes is folded, so the number may stand in the next line.
        grants=$((grants + $(tr -s '\n ' ' ' <"$scratch/part" | grep -oE '\bgrants [0-9]+' | awk '{ sum += $2 } END { print sum + 0 }')))
        echo "$grants grants so far"
    done
    part_of "$root/tests/chaos/planted" --core
}

# Holders that are stopped within a section that only the lock protects, in a MariaDB: with the lock alone updates are lost, with a
# fence they are not. It leaves nothing behind.
mariadb() {
    need pgrep
    private_tmp
    part_of "$root/tests/mariadb/run" --rounds="$(longer 24 200)"
    tidy 'the experiment'
}

steps "$@"
