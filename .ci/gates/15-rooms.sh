# The rooms of the code, and what they see of each other.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
short=(rooms)

# Arrows run downward. A room is a source file and the header of its name: no room includes itself by way of others, and neither
# does a folder. What a room exports, its own header declares: so nothing is used without an #include that this sees.
rooms() {
    need php cc hiredis nm
    build
    cd "$root"

    # What a system has of a room stands in a folder of that system.
    room_of() {
        sed -E 's#\.[ch]$##; s#^src/##; s#^(platform)/(posix|windows)/#\1/#' <<<"$1"
    }

    # PHP calls the methods of a class by their table, and the module by its entry; a macro declares the globals.
    by_table='^(zim_.*|get_module|redislock_module_entry|redislock_globals)$'

    while IFS= read -r file; do
        room=$(room_of "$file")
        sed -n 's/^#include "\(.*\)\.h"$/\1/p' "$file" | sed "s|^|$room |"
    done < <(bin/sources core glue windows headers) | awk '$1 != $2' | sort -u >"$scratch/rooms"
    # The rooms that stand right in src/, and in src/platform, are one folder, the lowest, and lock_core is the door of src/lock.
    sed -E 's#(^| )(platform/[a-z]+|heap|invariant)\b#\1base#g; s#/[^/ ]*( |$)#\1#g' "$scratch/rooms" | awk '$1 != $2' | sort -u >"$scratch/folders"
    for graph in rooms folders; do
        tsort <"$scratch/$graph" >/dev/null 2>"$scratch/circles" ||
            complain "$graph in a circle: $(sed 's/^tsort: //; s/^-: input contains a loop:/;/' "$scratch/circles" | tr '\n' ' ')"
    done

    objects=$(dirname "$(dirname "$extension")")
    while IFS= read -r file; do
        room=$(room_of "$file")
        nm -g --defined-only "$objects/$(dirname "$file")/.libs/$(basename "$file" .c).o" >"$scratch/symbols" || complain "$file has no object"
        while read -r _ _ name; do
            [[ $name =~ $by_table ]] || grep -qsw "$name" "$room.h" "src/$room.h" || echo "$room: $name"
        done <"$scratch/symbols"
    done < <(bin/sources core glue) >"$scratch/undeclared"
    prints_nothing "exported, and not declared in the room's own header" cat "$scratch/undeclared"
}

steps "$@"
