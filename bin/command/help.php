<?php
/*
 * What `redislock --help` says, taken apart: the completions and the manual page are made of that, so a command or an option
 * that --help tells is in them.
 *
 *     Usage: …                             a paragraph without indentation
 *
 *       ls [PATTERN]   what it does        an entry: its form, two spaces or more, its text,
 *                      in two lines        which goes on where the text began
 *       --a=A, --b=B                       a form that is too long for its column, or needs no text
 *
 *     Options                              a heading; the entries in front of the first one are the commands
 */
declare(strict_types=1);

namespace Redislock\Help;

/** A command, an option, an exit status: whatever has a name and a text. */
final class Entry
{
    public function __construct(public readonly string $form, public string $text = '')
    {
    }
}

/** What one option can be completed to. */
final class Option
{
    /** @var list<string> the commands that it is for; none: for all */
    public array $commands = [];

    /** @param ?string $value what stands behind `=`; null: it takes none */
    public function __construct(public readonly string $name, public readonly ?string $value, public readonly string $text)
    {
    }

    /** Whether it is given once for each of several names. */
    public function isPaired(): bool
    {
        return str_contains((string) $this->value, '=');
    }

    public function isFile(): bool
    {
        return (bool) preg_match('/\b(FILE|PATH|DIR)$/', (string) $this->value);
    }

    /** @return list<string> what the value is, or begins with: then it ends in `=`, `:` or `/` */
    public function candidates(): array
    {
        if ($this->value === null) {
            return [];
        }
        $words = preg_split('/, | or |\|/', $this->value);
        if (count($words) > 1 && preg_grep('/^[a-z0-9._-]+$/', $words) === $words) {
            return $words;
        }
        if (preg_match('/: ((?:[\w.-]+=?\w*, )+(?:or )?[\w.-]+=?\w*)(?=$|[.;])/', $this->text, $found)) {
            $names = preg_split('/, (?:or )?/', $found[1]);
            return array_map(fn ($name) => $this->isPaired() && !str_contains($name, '=') ? "$name=" : $name, $names);
        }
        preg_match_all('~(?<![\w.])(?:[a-z][a-z-]*://|env:)~', "$this->value $this->text", $found);
        return array_values(array_unique($found[0]));
    }
}

final class Help
{
    private const INDENT = 2;

    /** @var list<string> the paragraphs in front of the first heading, but for the line of usage */
    public array $about = [];
    /** @var array<string, list<Entry>> heading => what is below it; '' for the commands */
    public array $sections = ['' => []];
    public string $usage = '';

    public function __construct(string $text)
    {
        $lines = explode("\n", rtrim($text));
        preg_match('/^Usage: (.+)$/D', array_shift($lines), $found) || throw new \RuntimeException('--help does not begin with its usage');
        $this->usage = $found[1];
        $heading = '';
        foreach ($lines as $i => $line) {
            if ($line === '') {
                continue;
            } elseif ($line[0] === ' ') {
                $this->take($heading, $line);
            } elseif (($lines[$i - 1] ?? '') === '' && ($lines[$i + 1][0] ?? '') === ' ') {
                $heading = $line;
                $this->sections[$heading] = [];
            } else {
                $heading === '' || throw new \RuntimeException("--help has a paragraph below \"$heading\": $line");
                $this->about[] = $line;
            }
        }
        $this->commands() !== [] && $this->options() !== [] || throw new \RuntimeException('--help names no command, or no option');
    }

    private function take(string $heading, string $line): void
    {
        $entries = &$this->sections[$heading];
        if (strspn($line, ' ') > self::INDENT) {
            $last = end($entries) ?: throw new \RuntimeException("this belongs to nothing in --help: $line");
            $last->text = ltrim("$last->text " . trim($line));
            return;
        }
        $entries[] = new Entry(...preg_split('/ {2,}/', trim($line), 2));
    }

    /** Whether its entries have a text; else they are lines to be shown as they are. */
    public static function isList(array $entries): bool
    {
        return array_filter($entries, fn ($entry) => $entry->text !== '') !== [];
    }

    /** @return array<string, string> name => what it does */
    public function commands(): array
    {
        $commands = [];
        foreach ($this->sections[''] as $entry) {
            foreach (preg_split('/, (?=[a-z])/', $entry->form) as $form) {
                $commands[strtok($form, ' ')] = $entry->text;
            }
        }
        return $commands;
    }

    /** @return array<string, Option> by name, also those that a command's own form has */
    public function options(): array
    {
        $options = [];
        foreach ($this->sections['Options'] ?? [] as $entry) {
            foreach (preg_split('/, (?=-)/', $entry->form) as $form) {
                [$name, $value] = [...explode('=', $form, 2), null];
                $options[$name] = new Option($name, $value, $entry->text);
                $options[$name]->commands = $this->commandsIn($entry->text);
            }
        }
        $listed = $options;
        foreach ($this->sections[''] as $entry) {
            preg_match_all('/(--[a-z-]+)(?:=([^\s\]]+))?/', $entry->form, $found, PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL);
            foreach (array_filter($found, fn ($option) => !isset($listed[$option[1]])) as [, $name, $value]) {
                $options[$name] ??= new Option($name, $value, $entry->text);
                $options[$name]->commands[] = strtok($entry->form, ' ');
            }
        }
        return $options;
    }

    /** @return list<string> the commands that a text names which begins with "of ls and watch:" */
    private function commandsIn(string $text): array
    {
        preg_match('/^of ([a-z, -]+)[;:.]/', $text, $found);
        $names = preg_split('/, | and | or /', $found[1] ?? '');
        return array_diff($names, array_keys($this->commands())) === [] ? $names : [];
    }
}
