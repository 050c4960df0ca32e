<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** How much a remark matters, gravest first. */
enum Level: string
{
    case Critical = 'critical';     // it cannot be locked on, or loses locks in silence
    case Warning = 'warning';       // locks can be had, but something endangers them, or refuses some
    case Unknown = 'unknown';       // whether it can be locked on safely could not be judged
    case NotChecked = 'not checked'; // the same of something that matters less
    case Note = 'note';             // what one should know, and may have decided so

    public function rank(): int
    {
        return array_search($this, self::cases(), true);
    }
}

/** What a check has found: what it is and why that matters, and what to do about it. */
final class Remark
{
    /**
     * @param string $about the check that says so
     * @param string $advice what to do, as one says it: 'use noeviction'
     * @param list<string> $commands what to type for that, at each of $nodes
     * @param list<string> $nodes of a cluster, or servers of several, those of which it holds; [] if there is but one, or it holds of all together
     */
    public function __construct(
        public readonly Level $level,
        public readonly string $about,
        public readonly string $what,
        public readonly string $advice = '',
        public readonly array $commands = [],
        public readonly array $nodes = [],
    ) {
    }

    /** The same, of a node. */
    public function at(string $node): self
    {
        return new self($this->level, $this->about, $this->what, $this->advice, $this->commands, [$node]);
    }

    /** What several have in common is told once. @param list<self> $remarks each of a node @return list<self> */
    public static function gather(array $remarks): array
    {
        $gathered = [];
        foreach ($remarks as $remark) {
            foreach ($gathered as $i => $other) {
                if (($both = $other->with($remark)) !== null) {
                    $gathered[$i] = $both;
                    continue 2;
                }
            }
            $gathered[] = $remark;
        }
        return $gathered;
    }

    /** One of both, if they say the same of different nodes; else null. */
    private function with(self $other): ?self
    {
        if ([$this->level, $this->about, $this->what, $this->advice] !== [$other->level, $other->about, $other->what, $other->advice]) {
            return null;
        }
        $commands = array_values(array_unique([...$this->commands, ...$other->commands]));
        return new self($this->level, $this->about, $this->what, $this->advice, $commands, [...$this->nodes, ...$other->nodes]);
    }

    public function as(Level $level, string $why): self
    {
        return new self($level, $this->about, "$this->what; $why", $this->advice, $this->commands, $this->nodes);
    }

    /** @param int $count of the nodes that there are @param string $each what they are */
    public function where(int $count, string $each = 'master'): string
    {
        return match (true) {
            $this->nodes === [] => '',
            $count > 1 && count($this->nodes) === $count => "each $each: ",
            default => implode(', ', $this->nodes) . ': ',
        };
    }

    /** @return array<string, mixed> */
    public function forJson(): array
    {
        return ['level' => $this->level->value, 'about' => $this->about, 'what' => $this->what, 'advice' => $this->advice, 'commands' => $this->commands]
            + ($this->nodes === [] ? [] : ['nodes' => $this->nodes]);
    }
}

/** Those that a check makes. */
abstract class Check
{
    /** @var list<Remark> */
    public array $remarks = [];

    protected function critical(string $about, string $what, string $advice = '', string ...$commands): void
    {
        $this->remarks[] = new Remark(Level::Critical, $about, $what, $advice, $commands);
    }

    protected function warn(string $about, string $what, string $advice = '', string ...$commands): void
    {
        $this->remarks[] = new Remark(Level::Warning, $about, $what, $advice, $commands);
    }

    protected function unknown(string $about, string $what, string $advice = '', string ...$commands): void
    {
        $this->remarks[] = new Remark(Level::Unknown, $about, $what, $advice, $commands);
    }

    protected function notChecked(string $about, string $what, string $advice = '', string ...$commands): void
    {
        $this->remarks[] = new Remark(Level::NotChecked, $about, $what, $advice, $commands);
    }

    protected function note(string $about, string $what, string $advice = '', string ...$commands): void
    {
        $this->remarks[] = new Remark(Level::Note, $about, $what, $advice, $commands);
    }

    /** @return list<string> as `ping` tells them: what somebody has to act on */
    public function warnings(int $nodes = 1): array
    {
        return $this->told($nodes, fn (Remark $remark) => $remark->level->rank() <= Level::Warning->rank());
    }

    /** @return list<string> what one should know, and may have decided so; also what the user has no right to see */
    public function notes(int $nodes = 1): array
    {
        return $this->told($nodes, fn (Remark $remark) => $remark->level->rank() > Level::Warning->rank());
    }

    /** @return list<string> */
    private function told(int $nodes, callable $which): array
    {
        $text = fn (Remark $remark) => $remark->where($nodes) . $remark->what . ($remark->advice === '' ? '' : "; $remark->advice");
        return array_values(array_map($text, array_filter($this->remarks, $which)));
    }
}

/** A Redis that is looked at: what it says of itself, asked once. */
final class Patient
{
    /** @var array<string, string> what INFO says; [] if it is refused */
    public readonly array $info;
    /** @var array<string, mixed> what is told of it */
    public array $facts = [];
    /** Whether others have keys in its database. Null: nobody may look. */
    public ?bool $isShared = null;
    /** @var array<string, ?string> */
    private array $config = [];

    public function __construct(public readonly Server $server, public readonly Node $node)
    {
        preg_match_all('/^(\w+):(.*?)\r?$/m', (string) $node->tryTo('INFO'), $found);
        $this->info = array_combine($found[1], $found[2]);
    }

    public function get(string $field): ?string
    {
        return $this->info[$field] ?? null;
    }

    public function number(string $field): ?int
    {
        return isset($this->info[$field]) ? (int) $this->info[$field] : null;
    }

    /** Null: it has no such setting, or CONFIG is refused, which is not asked for twice. */
    public function config(string $name): ?string
    {
        if (!array_key_exists($name, $this->config)) {
            $refused = in_array(null, $this->config, true) && count(array_filter($this->config, is_string(...))) === 0;
            $this->config[$name] = $refused ? null : ($this->node->tryTo('CONFIG', 'GET', $name)[1] ?? null);
        }
        return $this->config[$name];
    }

    /** Whether it is Valkey, which counts its versions by itself. */
    public function isValkey(): bool
    {
        return $this->get('valkey_version') !== null;
    }

    public function version(): ?string
    {
        return $this->get('valkey_version') ?? $this->get('redis_version');
    }

    /** What to type to have it do that. */
    public function cli(string ...$words): string
    {
        return $this->node->cli(...$words);
    }

    /** What to type to give whoever looks these rights. */
    public function allow(string ...$rules): string
    {
        return $this->cli('ACL', 'SETUSER', $this->server->address->user ?? 'default', ...$rules);
    }

    /** @return list<string> what sets it now, and for the next start if there is a file for that */
    public function set(string $name, string $value): array
    {
        return [$this->cli('CONFIG', 'SET', $name, $value), ...$this->keep()];
    }

    /** @return list<string> what keeps settings for the next start */
    public function keep(): array
    {
        return $this->get('config_file') === '' ? [] : [$this->cli('CONFIG', 'REWRITE')];
    }

    /** @return list<string> the same of users */
    public function keepUsers(): array
    {
        return ($this->config('aclfile') ?? '') === '' ? $this->keep() : [$this->cli('ACL', 'SAVE')];
    }
}
