<?php
declare(strict_types=1);

namespace Redislock\Help;

/** The completion for bash. It asks no server: names of locks are left to whoever types. */
function bash(Help $help): string
{
    $options = $help->options();
    $takers = array_filter($options, fn ($option) => $option->value !== null);
    $replacements = [
        '@COMMANDS@' => implode(' ', array_keys($help->commands())),
        '@TAKERS@' => implode(' | ', array_keys($takers)),
        '@OPTIONS@' => implode(' ', array_map(bash_name(...), array_filter($options, fn ($option) => $option->commands === []))),
        '@OF_COMMANDS@' => bash_options_of_commands($options),
        '@VALUES@' => implode('', array_map(bash_value(...), $takers)),
    ];
    return strtr(BASH, $replacements);
}

/** As it is completed: behind what ends in `=`, no space follows. */
function bash_name(Option $option): string
{
    return $option->name . ($option->value === null ? '' : '=');
}

/** @param array<string, Option> $options */
function bash_options_of_commands(array $options): string
{
    $lines = '';
    foreach (array_filter($options, fn ($option) => $option->commands !== []) as $option) {
        $lines .= '        [[ ' . implode(' || ', array_map(fn ($command) => "\$command == $command", $option->commands));
        $lines .= ' || -z $command ]] && candidates+=" ' . bash_name($option) . "\"\n";
    }
    return $lines;
}

function bash_value(Option $option): string
{
    $candidates = implode(' ', $option->candidates());
    return match (true) {
        $option->isFile() => "            $option->name) files=yes ;;\n",
        $candidates === '' => '',
        default => "            $option->name) candidates='$candidates' ;;\n",
    };
}

const BASH = <<<'BASH'
    # shellcheck shell=bash
    # The completion of redislock for bash, made by bin/update-command from `redislock --help`.

    _redislock() {
        local IFS=$' \t\n'
        local line=${COMP_LINE:0:COMP_POINT} current='' option='' command='' candidates='' files='' ahead='' word mark
        local -a words=()
        read -ra words <<<"$line"
        if [[ $line != *[[:blank:]] ]]; then
            current=${words[${#words[@]} - 1]}
            unset "words[${#words[@]} - 1]"
        fi

        for word in "${words[@]:1}"; do
            if [[ -n $option ]]; then
                option= # this is its value
                continue
            fi
            case $word in
                @TAKERS@) option=$word ;;
                -*) ;;
                # Others may be a part of what stands in quotes.
                *) [[ -n $command || ' @COMMANDS@ ' != *" $word "* ]] || command=$word ;;
            esac
        done
        if [[ -z $option && $current == --*=* ]]; then
            option=${current%%=*}
            ahead=$option=
        fi

        if [[ -n $option ]]; then
            case $option in
    @VALUES@        esac
        elif [[ $current == -* ]]; then
            candidates='@OPTIONS@'
    @OF_COMMANDS@    elif [[ -z $command ]]; then
            candidates='@COMMANDS@'
        fi

        word=${current#"$ahead"}
        if [[ $word == env:* && " $candidates " == *' env: '* ]]; then
            ahead+=env:
            candidates=$(compgen -e)
        elif [[ $word == *=* && " $candidates " == *" ${word%%=*}= "* ]]; then
            ahead+=${word%%=*}=
            files=yes
        fi
        word=${current#"$ahead"}
        COMPREPLY=()
        while IFS= read -r word; do
            [[ -z $files || ! -d $word ]] || word+=/
            [[ -z $word ]] || COMPREPLY+=("$ahead$word")
        done < <(if [[ -n $files ]]; then compgen -f -- "$word"; else compgen -W "$candidates" -- "$word"; fi)
        [[ -z $files ]] || compopt -o filenames 2>/dev/null
        [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *[=:/] ]] || compopt -o nospace 2>/dev/null

        # The line editor has split the word at such marks, and puts a candidate in place of the last part.
        ahead=
        for mark in = :; do
            word=${current%"${current##*"$mark"}"}
            [[ $COMP_WORDBREAKS != *"$mark"* || ${#word} -le ${#ahead} ]] || ahead=$word
        done
        COMPREPLY=("${COMPREPLY[@]#"$ahead"}")
    }
    complete -F _redislock redislock

    BASH;
