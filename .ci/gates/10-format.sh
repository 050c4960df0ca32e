# The C code is as .clang-format wants it. That leaves comments as they are, so their lines are measured here.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
short=(format)

format() {
    # The version counts: each formats a little otherwise. 14 is Debian 12's.
    local formatter=clang-format-14 files
    is_there "$formatter" || apt-cache show "$formatter" >/dev/null 2>&1 || not_here "$formatter is not to be had here"
    need "$formatter"
    cd "$root"
    # What a generator wrote is none of ours to format.
    mapfile -t files < <(tracked '*.c' '*.h' | grep -vxF -f <(bin/sources generated))
    "$formatter" --dry-run -Werror "${files[@]}"
    LC_ALL=C.UTF-8 prints_nothing 'lines of more than 128 columns' grep -nE '^.{129,}' "${files[@]}"
}

steps "$@"
