# PHP and shell scripts are sound, longer functions of C have a comment, and the Lua scripts are as proxies and clusters need them.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"

make_scratch

need php shellcheck
cd "$root"

scripts() {
    local file
    tracked | while IFS= read -r file; do
        case $file in
            *.phpt) continue ;;
        esac
        if [[ $file == *."$2" ]] || head -n 1 "$file" | grep -q "^#!.*\b$1\b"; then
            printf '%s\n' "$file"
        fi
    done
}

php_files=$({ scripts php php && tracked '*.inc'; } | sort -u)
shell_files=$({ scripts bash sh && tracked .ci/run; } | sort -u)
[ -n "$php_files" ] && [ -n "$shell_files" ] || complain 'found nothing to look at'

mapfile -t files <<<"$php_files"
each "${files[@]}" -- "$php" -n -l >"$scratch/parsed" || complain "$(grep '^Parse error' "$scratch/parsed")"

# proc_open() seeks such a stream to where PHP believes it is. In a file that others write to, their lines are then written over;
# a descriptor that is not listed is inherited as it is.
given=$(grep -nE '\b(STDOUT|STDERR)\]' "${files[@]}" || true)
[ -z "$given" ] || complain "a standard stream is handed to proc_open(): $given"

mapfile -t files <<<"$shell_files"
# A && B || C is meant so; text for other shells is in single quotes; sourced files set names;
# traps call functions; arguments may be optional.
excused=SC2015,SC2016,SC2119,SC2120,SC2154,SC2317
each "${files[@]}" -- shellcheck --external-sources --source-path=SCRIPTDIR --shell=bash --exclude="$excused" || complain 'shellcheck found something'

# A function of 15 lines and more has a comment above it. Its signature begins in the first column, and so does the brace.
mapfile -t files < <(bin/sources core glue)
bare=$(awk '
    /^{/ { open = begin; told = commented }
    /^}/ { if (open && FNR - open >= 14 && !told) print FILENAME ":" open; open = 0 }
    !open && /^$/ { begin = 0 }
    !open && !begin && /^[A-Za-z_]/ { begin = FNR; commented = before ~ /\*\/$/ }
    { before = $0 }' "${files[@]}")
[ -z "$bare" ] || complain "functions without a comment: $bare"

"$php" -n .ci/lint-lua --planted || complain 'lint-lua takes good lines for bad ones, or bad ones for good'
hidden=$("$php" -n .ci/lint-lua 2>&1) || complain "some proxies would refuse a script: $hidden"

finish
