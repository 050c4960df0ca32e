# The sources and what is made of them, as they stand.
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
short=(lint generated links completion)

# PHP and shell scripts are sound, longer functions of C have a comment, and the Lua scripts are as proxies and clusters need them.
lint() {
    need php shellcheck
    cd "$root"

    # scripts INTERPRETER ENDING: by their first line, or their name.
    scripts() {
        tracked ':!*.phpt' | xargs -d '\n' awk -v first="^#!.*[ /]$1( |\$)" -v ending="[.]$2\$" \
            'FNR == 1 { if ($0 ~ first || FILENAME ~ ending) print FILENAME; nextfile }'
    }

    mapfile -t files < <(scripts php php && tracked '*.inc')
    printf '%s\n' "${files[@]}" | each "$php" -n -l >"$scratch/parsed" || complain "$(grep '^Parse error' "$scratch/parsed")"

    # proc_open() seeks such a stream to where PHP believes it is. In a file that others write to, their lines are then written over;
    # a descriptor that is not listed is inherited as it is.
    prints_nothing 'a standard stream is handed to proc_open()' grep -nE '\b(STDOUT|STDERR)\]' "${files[@]}"

    # A && B || C is meant so; text for other shells is in single quotes; sourced files set names;
    # traps call functions; arguments may be optional.
    excused=SC2015,SC2016,SC2119,SC2120,SC2154,SC2317
    scripts bash sh | each shellcheck --external-sources --source-path=SCRIPTDIR --shell=bash --exclude="$excused" ||
        complain 'shellcheck found something'

    # A gate's function would take the place of one of the same name in a file that the gate reads.
    prints_nothing 'a function of CI is there twice' \
        uniq -d <(grep -hoE '^[a-z_0-9]+\(\) \{$' bin/lib.sh .ci/*.sh .ci/gates/*.sh | sort)

    # A function of 15 lines and more has a comment above it. Its signature begins in the first column, and so does the brace.
    mapfile -t files < <(bin/sources core glue)
    prints_nothing 'functions without a comment' awk '
        /^{/ { open = begin; told = commented }
        /^}/ { if (open && FNR - open >= 14 && !told) print FILENAME ":" open; open = 0 }
        !open && /^$/ { begin = 0 }
        !open && !begin && /^[A-Za-z_]/ { begin = FNR; commented = before ~ /\*\/$/ }
        { before = $0 }' "${files[@]}"

    # A condition is one of src/invariant.h: assert() is gone with NDEBUG, also where it guards memory.
    prints_nothing 'assert() in place of RL_INVARIANT() or RL_GUARD()' grep -nE '\bassert *\(' "${files[@]}"

    # The pages beside the code say which of their rules it checks.
    for room in lock redis; do
        [ "$room" = lock ] && letter=L || letter=R
        checked=$(grep -rhoE "RL_(INVARIANT|GUARD)\(.* /\* ${letter}[0-9]+\b" src | grep -oE "[0-9]+$" | sort -nu | sed "s/^/$letter/" | paste -sd, | sed 's/,/, /g')
        tr '\n' ' ' <"src/$room/README.md" | grep -qF "are checked: $checked. " || complain "src/$room/README.md does not say that these are checked: $checked"
    done

    "$php" -n .ci/lint-lua --planted || complain 'lint-lua takes good lines for bad ones, or bad ones for good'
    hidden=$("$php" -n .ci/lint-lua 2>&1) || complain "some proxies would refuse a script: $hidden"
}

# What is generated is what its sources say: *_arginfo.h, src/redis/scripts.*, bin/redislock, share/, stubs/,
# what REPOSITORY says.
generated() {
    need php phpize
    "$root/bin/embed-lua" --check || complain 'src/redis/scripts.* is old'
    "$root/bin/update-command" --check || complain 'bin/redislock or a file of share/ is old'
    "$root/bin/update-repository" --check || complain 'a composer.json, package.xml or README is old'
    # What leads nowhere stands in one place, so that there is one place to change. Tests need names that nobody has.
    prints_nothing 'addresses that lead nowhere' \
        git -C "$root" grep -nI '[a-z0-9]\.invalid\b' -- . ':!tests' ':!.ci' ':!REPOSITORY' ':!bridges/*/tests'
    case $("$php_config" --version) in
        8.2.*) "$root/bin/update-arginfo" --check || complain 'a *_arginfo.h or a file of stubs/ is old' ;;
        *) [ "$wrong" -gt 0 ] || not_here "*_arginfo.h is compared on PHP 8.2, this is $("$php_config" --version)" ;;
    esac
}

# Every link in the documents leads to a file, and to a heading, that is there.
links() {
    need php
    cd "$root"
    mapfile -t pages < <(tracked '*.md')
    [ "${#pages[@]}" -ge 5 ] || complain 'found no pages'
    "$php" -n .ci/links.php "${pages[@]}" || complain 'links that lead nowhere'
}

# The completions for bash and zsh, driven in shells as one types there, and the manual page, read by two formatters.
completion() {
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
    types "redislock --server='redis://a redis://b' pin\\t" '--server=redis://a redis://b' ping
    types 'redislock --server=env:REDISLOCK_TES\t pin\t' --server=env:REDISLOCK_TESTED ping
    types 'redislock --server env:REDISLOCK_TES\t rel\t a --forc\t' --server env:REDISLOCK_TESTED release a --force
    types 'redislock --server=\x05' "${schemes[@]}" env:
    types 'redislock --tls=caf\tfold\tfi\t pin\t' --tls=cafile=folder/file ping
    types 'redislock --tls \x05' --tls cafile= capath= local_cert= local_pk= peer_name= verify_peer=0 verify_peer_name=0
    types 'redislock --sentinel-tls=\x05' 0 1
    types 'redislock --sentinel-pas\tenv:REDISLOCK_TES\t' --sentinel-password=env:REDISLOCK_TESTED
    types 'redislock show fold\t' show fold # a name; no file, and no server is asked
    [ "${#commands[@]}" -ge 5 ] && [ "${#options[@]}" -ge 10 ] || complain 'does not understand --help'
    # What they complete is a function that notes its words, so nothing else runs.
    note='redislock() { printf "<%s>" "$@" >>~/got; echo >>~/got; }'
    cd "$scratch/home"

    # completes SHELL COMMAND…: types it all there, and compares the words that were noted with those that were expected.
    completes() {
        local i=0 line words
        : >"$scratch/home/got"
        printf '%b\n' "${typed[@]}" | env -i "HOME=$scratch/home" "PATH=$PATH" LC_ALL=C.UTF-8 TERM=dumb REDISLOCK_TESTED=x \
            "${@:2}" >"$scratch/shown" 2>&1 || complain "$1: status $?"
        while IFS= read -r line; do
            mapfile -t words < <(sed 's/^<//; s/>$//; s/></\n/g' <<<"$line")
            # Only the first of several values has the option in front of it, as far as bash splits words.
            [[ ${typed[i]:-} != *'=\x05' ]] || words=("${words[@]/#--*([a-z-])=}")
            [ "$(sorted "${words[@]}")" = "${expected[i]:-}" ] || complain "$1: ${typed[i]:-} becomes $line, and not ${expected[i]:-nothing}"
            i=$((i + 1))
        done <"$scratch/home/got"
        [ "$i" -eq "${#typed[@]}" ] || complain "$1: $i of ${#typed[@]} lines were completed: $(tail -n 40 "$scratch/shown")"
    }

    printf '%s\n' "$note" "bind '\"\\C-e\": insert-completions'" 'bind "set completion-query-items 0"' \
        "source $root/share/bash-completion/completions/redislock" >"$scratch/bashrc"
    in_bash=(env INPUTRC=/dev/null timeout 60 bash --noprofile --rcfile "$scratch/bashrc" -i)
    completes bash "${in_bash[@]}"
    echo "COMP_WORDBREAKS=\${COMP_WORDBREAKS//[:=]}" >>"$scratch/bashrc"
    completes 'bash that splits no words' "${in_bash[@]}"
    completes zsh timeout 120 zsh -f "$root/.ci/complete.zsh" "$root/share/zsh/site-functions" "$note"

    page=$root/share/man/man1/redislock.1
    said=$(man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null) && [ -z "$said" ] || complain "man: $said"
    said=$(mandoc -Tlint -Wstyle "$page" 2>&1) && [ -z "$said" ] || complain "mandoc: $said"
    # Whatever the formatters make of it, no word of --help is lost or changed.
    words() {
        tr -s ' \n' '\n' | tr '[:upper:]' '[:lower:]' | sort
    }
    prints_nothing 'the manual page does not say' \
        comm -23 <(words <<<"${help#Usage: }") <(mandoc -Tutf8 -Owidth=1000 "$page" | sed 's/.\x08//g' | words)

    shellcheck --shell=bash "$root/share/bash-completion/completions/redislock" || complain 'shellcheck found something'
}

steps "$@"
