<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Ends the program: its code is the exit status, its message is for stderr. Not thrown: an error reply. */
final class Failure extends \RuntimeException
{
}

/** What the command line says. */
final class Arguments
{
    private const FLAGS = ['json', 'force', 'strict', 'openmetrics', 'help', 'version'];
    private const VALUES = ['server', 'prefix', 'tls', 'sentinel-username', 'sentinel-password', 'sentinel-tls', 'user', 'uid', 'interval', 'count'];

    /** @var list<string> the command and what it is about */
    public array $words = [];
    /** What is wrong with it; all of it is read, since the command says by which status that is told. */
    public ?Failure $wrong = null;
    /** @var array<string, list<string>> */
    private array $options = [];

    /** @param list<string> $argv */
    public function __construct(array $argv)
    {
        while ($argv) {
            $word = array_shift($argv);
            if ($word === '--') {
                array_push($this->words, ...$argv);
                break;
            }
            try {
                $this->read($word, $argv);
            } catch (Failure $e) {
                $this->wrong ??= $e;
            }
        }
    }

    /** @param list<string> $rest the words behind it */
    private function read(string $word, array &$rest): void
    {
        if ($word === '-h') {
            $this->options['help'][] = '';
        } elseif (preg_match('/^--([a-z-]+)(?:=(.*))?$/sD', $word, $found)) {
            $this->take($found[1], $found[2] ?? null, $rest);
        } elseif ($word !== '' && $word[0] === '-') {
            throw new Failure("there is no option $word", USAGE);
        } else {
            $this->words[] = $word;
        }
    }

    /** @param list<string> $rest the words behind it, the first of which may be its value */
    private function take(string $name, ?string $value, array &$rest): void
    {
        if (in_array($name, self::FLAGS, true)) {
            $value === null || throw new Failure("--$name takes no value", USAGE);
        } elseif (in_array($name, self::VALUES, true)) {
            $value ??= array_shift($rest) ?? throw new Failure("--$name needs a value", USAGE);
        } else {
            throw new Failure("there is no option --$name", USAGE);
        }
        $this->options[$name][] = (string) $value;
    }

    public function has(string $name): bool
    {
        return isset($this->options[$name]);
    }

    public function value(string $name): ?string
    {
        return isset($this->options[$name]) ? end($this->options[$name]) : null;
    }

    public function number(string $name, float $default, float $least, bool $whole = false): float
    {
        $value = $this->value($name);
        if ($value === null) {
            return $default;
        }
        if (!is_numeric($value) || !is_finite((float) $value) || (float) $value < $least || ($whole && fmod((float) $value, 1) !== 0.0)) {
            throw new Failure("--$name must be a " . ($whole ? 'whole ' : '') . "number, $least or more", USAGE);
        }
        return (float) $value;
    }

    /** The value, or that of the environment variable which it names as env:NAME. Whoever types a secret is warned. */
    public function secret(string $name): ?string
    {
        $value = $this->value($name);
        if ($value === null || !preg_match('/^env:(.+)/is', $value, $found)) {
            $value === null || fwrite(STDERR, "redislock: warning: other users of this machine can see the password in --$name: use --$name=env:NAME\n");
            return $value;
        }
        $held = (string) getenv($found[1]);
        return $held !== '' ? $held : throw new Failure("$value: the environment variable is not set", USAGE);
    }

    /** @return array<string, string> the options of RedisLock that are for sentinels */
    public function sentinels(): array
    {
        return array_filter([
            'sentinel_username' => $this->value('sentinel-username'),
            'sentinel_password' => $this->secret('sentinel-password'),
            'sentinel_tls' => $this->value('sentinel-tls'),
        ], fn ($value) => $value !== null);
    }

    public static function isOn(string $value): bool
    {
        return !in_array(strtolower($value), ['0', 'no', 'off', 'false'], true);
    }

    /** @return array<string, string|bool> the option `tls` of RedisLock, whose names are those of PHP's SSL context */
    public function tls(): array
    {
        $tls = [];
        foreach ($this->options['tls'] ?? [] as $pair) {
            [$name, $value] = [...explode('=', $pair, 2), null];
            $value !== null || throw new Failure('--tls is written NAME=VALUE', USAGE);
            $tls[$name] = str_starts_with($name, 'verify_') ? self::isOn($value) : $value;
        }
        return $tls;
    }
}
