<?php
declare(strict_types=1);

namespace Redislock\Help;

/** The completion for zsh. It asks no server: names of locks are left to whoever types. */
function zsh(Help $help): string
{
    $commands = '';
    foreach ($help->commands() as $name => $text) {
        $commands .= '        ' . zsh_quote("$name:" . str_replace(':', '\:', $text)) . "\n";
    }
    $general = $special = $values = '';
    foreach ($help->options() as $option) {
        $values .= zsh_value($option);
        if ($option->commands === []) {
            $general .= '        ' . zsh_spec($option) . "\n";
        } else {
            $special .= '    [[ -n $command && $command != (' . implode('|', $option->commands) . ') ]] || specs+=(' . zsh_spec($option) . ")\n";
        }
    }
    return strtr(ZSH, ['@COMMANDS@' => $commands, '@GENERAL@' => $general, '@SPECIAL@' => $special, '@VALUES@' => $values]);
}

function zsh_quote(string $text): string
{
    return "'" . str_replace("'", "'\\''", $text) . "'";
}

/** The function that offers an option's values; '' if any may be typed. */
function zsh_function(Option $option): string
{
    return $option->candidates() === [] ? '' : '_redislock_' . strtr(ltrim($option->name, '-'), '-', '_');
}

/** As _arguments wants it: `*--name=[text]:value:action`. */
function zsh_spec(Option $option): string
{
    $text = preg_replace('/([\[\]:\\\\])/', '\\\\$1', zsh_short($option));
    $spec = ($option->isPaired() ? '*' : '') . $option->name . ($option->value === null ? '' : '=') . ($text === '' ? '' : "[$text]");
    if ($option->value !== null) {
        $action = $option->isFile() ? '_files' : (zsh_function($option) ?: ' ');
        $spec .= ':' . str_replace(':', '\:', $option->value) . ':' . $action;
    }
    return zsh_quote($spec);
}

/** The beginning of its text, as a list has room for it; what it takes, where the text begins with forms of that. */
function zsh_short(Option $option): string
{
    $text = preg_match('~^\S+://~', $option->text) ? $option->value : $option->text;
    $text = preg_replace('/[;:] .*$/s', '', preg_replace('/^of [a-z, -]+[;:] /', '', $text));
    return strlen($text) > 60 ? preg_replace('/,? \S*$/', ' …', substr($text, 0, 60)) : $text;
}

function zsh_value(Option $option): string
{
    $candidates = implode(' ', array_map(zsh_quote(...), $option->candidates()));
    return $candidates === '' || $option->isFile() ? '' : zsh_function($option) . "() {\n    _redislock_offer $candidates\n}\n\n";
}

const ZSH = <<<'ZSH'
    #compdef redislock
    # The completion of redislock for zsh, made by bin/update-command from `redislock --help`.

    # _redislock_offer CANDIDATE…: behind one that ends in `=`, `:` or `/`, more is to follow.
    _redislock_offer() {
        if (( $argv[(Ie)env:] )) && compset -P env:; then
            _parameters -g '*export*'
        elif [[ $PREFIX == *=* ]] && (( $argv[(Ie)${PREFIX%%=*}=] )) && compset -P '[^=]#='; then
            _files
        else
            compadd -S '' -- ${(M)@:#*[=:/]}
            compadd -- ${@:#*[=:/]}
        fi
    }

    @VALUES@_redislock_commands() {
        local -a commands=(
    @COMMANDS@    )
        _describe command commands
    }

    _redislock() {
        local command word taken
        local -a specs=(
    @GENERAL@    )
        for word in ${words[2,CURRENT-1]}; do
            if [[ -n $taken ]]; then
                taken=
            elif [[ $word == -* ]]; then
                [[ -z ${(M)specs:#(\*|)${word}=*} ]] || taken=yes # its value is the next word
            else
                command=$word
                break
            fi
        done
    @SPECIAL@
        _arguments -S : $specs '1:command:_redislock_commands' '*:name:{ : }' # a message about names would hide the options
    }

    _redislock "$@"

    ZSH;
