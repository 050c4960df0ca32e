<?php
/**
 * Follows a script of lua/ along all of its ways, and finds where it makes a key anew that it has deleted before.
 *
 * While a slot of a cluster moves, a node takes a key that is missing for one that has moved on, and stops a script that writes
 * it: behind what the script has done. So a script writes first, and deletes what it does not write.
 *
 * The text is that of bin/embed-lua: one statement a line or, of a block, its head and its end; comments are gone.
 */
declare(strict_types=1);

final class LuaFlow
{
    /** @var array<string, array> the bodies of the functions */
    private array $functions = [];
    /** @var array<string, true> what was found, as text */
    private array $found = [];
    /** @var string[] */
    private array $lines;
    private int $at = 0;

    private function __construct(string $text)
    {
        // A head of several lines becomes one.
        $text = preg_replace_callback('~^(?:if|elseif|while|for)\b.*?\b(?:then|do)$~ms', fn ($head) => strtr($head[0], "\n", ' '), $text);
        $this->lines = explode("\n", rtrim($text));
    }

    /** What makes a key. */
    private const MAKES = ['HINCRBY', 'HSET', 'INCR', 'LPUSH', 'RPUSH', 'SADD', 'SET', 'ZADD', 'ZINCRBY'];

    /** @return string[] each line that makes a key which was deleted before on one of the ways to it */
    public static function madeAnew(string $text): array
    {
        $flow = new self($text);
        $ends = [];
        $flow->walk($flow->block(), [], $ends);
        if ($flow->at < count($flow->lines)) {
            throw new LogicException("not understood: {$flow->lines[$flow->at]}");
        }
        return array_keys($flow->found);
    }

    /** Reads up to the end of a block. A statement is a line, or ['if', [head, body]…, bool whether one always runs], or ['loop', head, body]. */
    private function block(): array
    {
        $block = [];
        while ($this->at < count($this->lines)) {
            $line = $this->lines[$this->at];
            if (preg_match('~^(end|else|elseif)\b~', $line)) {
                return $block;
            }
            $this->at++;
            if (preg_match('~^local function (\w+)~', $line, $name)) {
                $this->functions[$name[1]] = $this->body();
            } elseif (preg_match('~^if\b.*\bthen$~', $line)) {
                $block[] = $this->choice($line);
            } elseif (preg_match('~\bfunction\([^)]*\)$~', $line)) {
                $block[] = ['loop', $line, $this->body()]; // a function without a name, run wherever it is
            } elseif (preg_match('~^(?:for|while)\b.*\bdo$~', $line)) {
                $block[] = ['loop', $line, $this->body()];
            } else {
                $block[] = $line;
            }
        }
        return $block;
    }

    private function body(): array
    {
        $body = $this->block();
        $this->at++; // its end
        return $body;
    }

    private function choice(string $head): array
    {
        $branches = [[$head, $this->block()]];
        $always = false;
        while (str_starts_with($next = $this->lines[$this->at++], 'else')) {
            $always = $next === 'else';
            $branches[] = [$next, $this->block()];
        }
        return ['if', $branches, $always];
    }

    /**
     * Walks through a block with the keys that were deleted so far.
     *
     * @param array<string, true>[] $ends is added what was deleted where it returns
     * @return array<string, true>|null what is deleted behind it; null: it does not come there
     */
    private function walk(array $block, array $deleted, array &$ends): ?array
    {
        foreach ($block as $statement) {
            if (is_string($statement)) {
                $deleted = $this->run($statement, $deleted);
                if (preg_match('~^return\b~', $statement)) {
                    $ends[implode(' ', array_keys($deleted))] = $deleted;
                    return null;
                }
                continue;
            }
            [$kind, $first, $second] = $statement;
            $outs = [];
            if ($kind === 'loop') {
                $deleted = $this->run($first, $deleted);
                $once = $this->walk($second, $deleted, $ends) ?? [];
                $outs = [$deleted, $once, $this->walk($second, $this->run($first, $once), $ends)];
            } else {
                foreach ($first as [$head, $body]) {
                    $deleted = $this->run($head, $deleted);
                    $outs[] = $this->walk($body, $deleted, $ends);
                }
                $outs[] = $second ? null : $deleted;
            }
            $outs = array_filter($outs, 'is_array');
            if ($outs === []) {
                return null;
            }
            $deleted = array_merge(...array_values($outs));
        }
        return $deleted;
    }

    /** Runs a line: its calls from left to right. */
    private function run(string $line, array $deleted): array
    {
        $key = 'KEYS\[(?:[^][]|\[[^]]*\])+\]|[A-Za-z]\w*';
        preg_match_all("~\\bredis\\.p?call\\('([A-Z]+)'((?:, (?:$key)(?=[,)]))*)|\\b(\\w+)\\(~", $line, $calls, PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL);
        foreach ($calls as [, $command, $args, $function]) {
            if ($function !== null) {
                $deleted = $this->call($function, $deleted);
                continue;
            }
            preg_match_all("~, ($key)~", $args, $keys);
            foreach ($command === 'DEL' ? $keys[1] : array_slice($keys[1], 0, 1) as $name) {
                if ($command === 'DEL') {
                    $deleted[$name] = true;
                } elseif (isset($deleted[$name]) && in_array($command, self::MAKES, true)) {
                    $this->found[$line] = true;
                    unset($deleted[$name]);
                }
            }
        }
        // Names get another meaning, and so do keys that they are part of.
        if (preg_match('~^(?:for |local )?(\w+(?:, \w+)*) (?:=|in) ~', $line, $names)) {
            $renamed = '~\b(?:' . strtr($names[1], [', ' => '|']) . ')\b~';
            $deleted = array_filter($deleted, fn ($name) => !preg_match($renamed, $name), ARRAY_FILTER_USE_KEY);
        }
        return $deleted;
    }

    private function call(string $function, array $deleted): array
    {
        $body = $this->functions[$function] ?? [];
        $ends = [];
        unset($this->functions[$function]); // a library's function of this name may be called in it
        $last = $this->walk($body, $deleted, $ends);
        $this->functions[$function] = $body;
        return array_merge($last ?? [], ...array_values($ends));
    }
}
