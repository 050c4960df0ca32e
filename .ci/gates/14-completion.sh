# The completions for bash and zsh, driven in shells as one types there, and the manual page, read by two formatters.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch
shopt -s extglob

need php zsh man mandoc shellcheck
help=$("$php" "$root/bin/redislock" --help)
mkdir "$scratch/home" "$scratch/home/folder"
: >"$scratch/home/folder/file"

# What is typed (^E is made the key that puts all candidates there), and the words that come of it, sorted, and without the `=`
# that ends some: zsh takes it back where no value follows.
typed=() expected=()
types() {
    typed+=("$1")
    expected+=("$(sorted "${@:2}")")
}
sorted() {
    printf '%s\n' "${@%=}" | LC_ALL=C sort -u | paste -sd ' ' -
}
mapfile -t commands < <(sed -n '/^Options/q; s/^  \([a-z]\+\).*/\1/p' <<<"$help")
mapfile -t options < <(grep -oE -- '--[a-z-]+' <<<"$help" | sort -u)
mapfile -t schemes < <(grep -oE '\b[a-z-]+://' <<<"$help" | sort -u)
types 'redislock \x05' "${commands[@]}"
types 'redislock --\x05' "${options[@]}"
types 'redislock wat\t --int\t5' watch --interval=5
types 'redislock ls --inter\t --forc\t' ls --inter --forc # those of other commands
types 'redislock --serv\tredis-c\th1,h2 pin\t' --server=redis-cluster://h1,h2 ping
types 'redislock ls --inter\t --forc\t' ls --inter --forc # those of other commands
types "redislock --server='redis://a redis://b' pin\\t" '--server=redis://a redis://b' ping
types 'redislock --server=env:REDISLOCK_TES\t pin\t' --server=env:REDISLOCK_TESTED ping
types 'redislock ls --inter\t --forc\t' ls --inter --forc # those of other commands
types 'redislock --server env:REDISLOCK_TES\t rel\t a --forc\t' --server env:REDISLOCK_TESTED release a --force
types 'redislock ls --inter\t --forc\t' ls --inter --forc # those of other commands
types 'redislock --server=\x05' "${schemes[@]}" env:
types 'redislock --tls=caf\tfold\tfi\t pin\t' --tls=cafile=folder/file ping
types 'redislock --tls \x05' --tls cafile= capath= local_cert= local_pk= peer_name= verify_peer=0 verify_peer_name=0
types 'redislock --sentinel-tls=\x05' 0 1
types 'redislock --sentinel-pas\tenv:REDISLOCK_TES\t' --sentinel-password=env:REDISLOCK_TESTED
types 'redislock show fold\t' show fold # a name; no file, and no server is asked
n=${#typed[@]}
[ "${#commands[@]}" -ge 5 ] && [ "${#options[@]}" -ge 10 ] || complain 'does not understand --help'
# What they complete is a function that notes its words, so nothing else runs.
note='redislock() { printf "<%s>" "$@" >>~/got; echo >>~/got; }'
shell=(env -i "HOME=$scratch/home" "PATH=$PATH" LC_ALL=C.UTF-8 TERM=dumb REDISLOCK_TESTED=x)
cd "$scratch/home"

in_bash() {
    {
        printf '%s\n' "$note" "bind '\"\\C-e\": insert-completions'" 'bind "set completion-query-items 0"' \
            "source $root/share/bash-completion/completions/redislock" "$@"
        for line in "${typed[@]}"; do
            printf '%b\n' "$line"
        done
    } | "${shell[@]}" INPUTRC=/dev/null timeout 60 bash --norc --noprofile -i >"$scratch/shown" 2>&1 || complain "bash: status $?"
}

# A terminal of its own, and a line at a time: what is typed ahead, its line editor takes for text.
in_zsh() {
    cat >"$scratch/drive.zsh" <<'ZSH'
zmodload zsh/zpty
: >~/got
zpty -b shell zsh -f -i
zpty -w shell "fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -d ~/dump; setopt nobeep"
zpty -w shell '_all() { _main_complete; compstate[insert]=all compstate[list]= }; zle -C all complete-word _all; bindkey "^E" all'
zpty -w shell $2
for (( line = 1; line <= $# - 2; line++ )); do
    zpty -w shell "${(g::)argv[line + 2]}"
    for (( i = 0; i < 200 && $(wc -l <~/got) < line; i++ )); do
        while zpty -r -t shell shown; do print -rn -- $shown; done
        sleep 0.05
    done
done
zpty -d shell
ZSH
    "${shell[@]}" timeout 120 zsh -f "$scratch/drive.zsh" "$root/share/zsh/site-functions" "$note" "${typed[@]}" >"$scratch/shown" 2>&1 || complain "zsh: status $?"
}

# compare SHELL: the words that were noted with those that were expected.
compare() {
    local i=0 line words
    while IFS= read -r line; do
        mapfile -t words < <(sed 's/^<//; s/>$//; s/></\n/g' <<<"$line")
        # Only the first of several values has the option in front of it, as far as bash splits words.
        [[ ${typed[i]:-} != *'=\x05' ]] || words=("${words[@]/#--*([a-z-])=}")
        [ "$(sorted "${words[@]}")" = "${expected[i]:-}" ] || complain "$1: ${typed[i]:-} becomes $line, and not ${expected[i]:-nothing}"
        i=$((i + 1))
    done <~/got
    [ "$i" -eq "$n" ] || complain "$1: $i of $n lines were completed: $(tail -n 40 "$scratch/shown")"
    rm ~/got
}

HOME=$scratch/home
: >~/got
in_bash
compare bash
: >~/got
in_bash "COMP_WORDBREAKS=\${COMP_WORDBREAKS//[:=]}"
compare 'bash that splits no words'
in_zsh
compare zsh

page=$root/share/man/man1/redislock.1
said=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null) && [ -z "$said" ] || complain "man: $said"
said=$(mandoc -Tlint -Wstyle "$page" 2>&1) && [ -z "$said" ] || complain "mandoc: $said"
# Whatever the formatters make of it, no word of --help is lost or changed.
words() {
    tr -s ' \n' '\n' | tr '[:upper:]' '[:lower:]' | sort
}
said=$(diff <(words <<<"${help#Usage: }") <(mandoc -Tutf8 -Owidth=1000 "$page" | sed 's/.\x08//g' | words) | sed -n 's/^< //p') || true
[ -z "$said" ] || complain "the manual page does not say: $said"

shellcheck --shell=bash "$root/share/bash-completion/completions/redislock" || complain 'shellcheck found something'
finish
