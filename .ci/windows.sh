# shellcheck shell=bash disable=SC2154,SC2034 # cache and scratch are lib.sh's
# What is built for Windows, and run by wine. To be sourced after lib.sh.

# shellcheck source=debian.sh
. "$(dirname "${BASH_SOURCE[0]}")/debian.sh"

# hiredis_source: fills `hiredis_folder` with a folder that has the source of hiredis 1.2, which knows Windows: of Debian 13, checked by apt,
# whatever this machine runs. It is kept in the cache; where that is not ours to write, it is fetched for this run.
hiredis_source() {
    local work=$scratch/hiredis-part
    hiredis_folder=$cache/hiredis-1.2
    [ ! -e "$hiredis_folder/sockcompat.c" ] || return 0
    mkdir -p "$cache" 2>/dev/null && [ -w "$cache" ] || hiredis_folder=$scratch/hiredis-1.2
    source_of trixie hiredis "$work"
    # Another run may have been faster.
    mv -T "$work" "$hiredis_folder" 2>/dev/null || [ -e "$hiredis_folder/sockcompat.c" ]
}
