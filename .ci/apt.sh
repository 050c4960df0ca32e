# shellcheck shell=bash disable=SC2154,SC2034 # scratch is the gate's
# What Debian has, read with lists of our own, so that this machine's stay as they are. To be sourced after lib.sh and
# make_scratch.

# The name by which this machine's sources call its release; the same sources with another name bring another release.
own_suite() {
    sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# Where this machine gets Debian from; nothing if that is not to be seen.
mirror() {
    # shellcheck disable=SC2016 # apt expands it
    apt-get indextargets --format '$(SUITE) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' |
        awk -v suite="$(own_suite)" '$1 == suite || $2 == suite { print $3; exit }'
}

no_mirror="this machine's package lists name no mirror of Debian"

# sources_of TYPE SUITE…: apt's lines for their packages (deb) or sources (deb-src); nothing without a mirror.
sources_of() {
    local type=$1 from suite
    local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
    shift
    from=$(mirror)
    [ -e "$keyring" ] && keyring=" [signed-by=$keyring]" || keyring=
    for suite in ${from:+"$@"}; do
        echo "$type$keyring $from $suite main"
    done
}

# own_apt COMMAND…: apt-get or apt-cache, with what read_lists() has read.
own_apt() {
    "$1" -o "Dir::Etc::sourcelist=$scratch/apt/sources.list" -o Dir::Etc::sourceparts=- -o Dir::Etc::preferencesparts="$scratch/apt/none" \
        -o "Dir::State::lists=$scratch/apt/lists" -o "Dir::Cache=$scratch/apt" -o Dir::State::status=/dev/null \
        -o Acquire::Check-Valid-Until=false -o Acquire::Languages=none -o Acquire::http::Timeout=20 \
        -o APT::Sandbox::User="$(id -un)" "${@:2}"
}

# read_lists TYPE SUITE…: fetches the suites' lists of packages (deb) or sources (deb-src); if that fails, `why_not` says why.
read_lists() {
    mkdir -p "$scratch/apt/lists/partial" "$scratch/apt/archives/partial" "$scratch/apt/none"
    sources_of "$@" >"$scratch/apt/sources.list"
    if [ ! -s "$scratch/apt/sources.list" ]; then
        why_not=$no_mirror
    elif own_apt apt-get -q --error-on=any update >"$scratch/apt/log" 2>&1; then
        return 0
    else
        why_not=$(apts_words "$scratch/apt/log")
    fi
    return 1
}

# apts_words LOG: what apt gives as its reasons, in one line.
apts_words() {
    local words
    [ -s "$1" ] || echo 'apt said nothing' >"$1"
    words=$(grep -hE '^(E|Err):? |Depends:|Conflicts:|Breaks:' "$1" | tr -s ' ' | head -n 6 | paste -sd ';' || true)
    echo "${words:-$(tail -n 1 "$1")}"
}
