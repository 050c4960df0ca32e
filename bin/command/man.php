<?php
declare(strict_types=1);

namespace Redislock\Help;

/** The manual page, in the man macros, which each formatter knows. */
function man(Help $help, string $version, string $date): string
{
    $page = '.\" Made by bin/update-command from `redislock --help`.' . "\n";
    $page .= ".TH REDISLOCK 1 $date \"redislock $version\" \"User Commands\"\n";
    $page .= ".nh\n.ad l\n"; // what is typed must not be hyphenated
    $page .= ".SH NAME\nredislock \\- see the locks in a Redis, and take one away where it must be\n";
    $page .= ".SH SYNOPSIS\n" . man_form($help->usage) . "\n";
    $page .= ".SH DESCRIPTION\n" . implode(".PP\n", array_map(fn ($paragraph) => man_paragraph($paragraph), $help->about));
    foreach ($help->sections as $heading => $entries) {
        $page .= '.SH ' . man_text($heading === '' ? 'COMMANDS' : strtoupper($heading)) . "\n";
        $page .= Help::isList($entries) ? implode('', array_map(man_entry(...), $entries)) : man_lines($entries);
    }
    return $page . ".SH SEE ALSO\n" . man_form('redis-cli') . "(1)\n";
}

function man_entry(Entry $entry): string
{
    return ".TP\n" . man_form($entry->form) . "\n" . ($entry->text === '' ? '' : man_paragraph($entry->text));
}

/** @param list<Entry> $entries whose forms are lines to be typed */
function man_lines(array $entries): string
{
    return ".nf\n" . implode('', array_map(fn ($entry) => man_text($entry->form) . "\n", $entries)) . ".fi\n";
}

/** Literal words are bold; what is to be replaced, in capitals, is italic. */
function man_form(string $form): string
{
    return preg_replace_callback('/[A-Z]+\b|[^A-Z\s,\[\]=|]+|[\s,\[\]=|]+/', function (array $found): string {
        $word = $found[0];
        return match (true) {
            (bool) preg_match('/^[A-Z]+$/D', $word) => "\\fI$word\\fR",
            (bool) preg_match('/^[\s,\[\]=|]+$/D', $word) || in_array($word, ['or', 'options'], true) => $word,
            default => '\fB' . man_text($word) . '\fR',
        };
    }, $form);
}

/** As it stands, whatever it is made of; ASCII only. */
function man_text(string $text): string
{
    $text = strtr($text, ['\\' => '\(rs', '-' => '\-', "'" => '\(aq', '`' => '\(ga', '^' => '\(ha', '~' => '\(ti', '"' => '\(dq']);
    // JSON tells the number of a character, whatever extensions PHP has.
    return preg_replace_callback('/[^\x00-\x7f]/u', fn ($found) => '\[u' . strtoupper(substr(json_encode($found[0]), 3, 4)) . ']', $text);
}

/** In lines of at most 80 characters, none of which is a request. */
function man_paragraph(string $text): string
{
    return preg_replace('/^(?=\.)/m', '\&', wordwrap(man_text($text), 78)) . "\n";
}
