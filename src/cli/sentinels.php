<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** What one sentinel says of the master. */
final class Answer
{
    /** @var array<string, string> the fields of SENTINEL MASTER */
    public readonly array $about;
    public readonly ?string $at; // the master's host:port; null: it knows none of that name
    public readonly int $epoch;

    /** Of the replies to SENTINEL MASTER and to GET-MASTER-ADDR-BY-NAME; a Failure is an error reply. */
    public function __construct(mixed $about, mixed $where)
    {
        $this->about = is_array($about) ? array_column(array_chunk($about, 2), 1, 0) : [];
        $this->epoch = (int) ($this->about['config-epoch'] ?? -1);
        // One that may not say where the master is may have described it.
        $where = $where instanceof Failure ? [$this->about['ip'] ?? null, $this->about['port'] ?? null] : $where;
        [$host, $port] = is_array($where) && count(array_filter($where, is_string(...))) === 2 ? $where : ['', ''];
        $this->at = $host === '' ? null : (str_contains($host, ':') ? "[$host]" : $host) . ":$port";
    }
}

/** The sentinels of a server, which are all asked at once, as the extension does it. */
final class Sentinels
{
    private const LATE = 'no answer in time';
    private const MEANS = [
        'NOAUTH' => 'a password is needed (NOAUTH): put it into an environment variable, and use --sentinel-password=env:NAME',
        'ERR unknown command' => 'it is no sentinel (ERR unknown command)',
    ];

    private readonly bool $tls;
    /** @var list<list<string>> see Stream::login() */
    private readonly array $login;
    /** @var array<string, Answer|string> host:port => what it says, or why it says nothing */
    private array $answers = [];

    /**
     * @param array<string, string|bool> $tlsOptions
     * @param array<string, string> $options as RedisLock takes them
     */
    public function __construct(private readonly Address $address, private readonly array $tlsOptions, #[\SensitiveParameter] array $options)
    {
        [$tls, $user, $password] = array_map(fn ($name) => ($options["sentinel_$name"] ?? '') === '' ? null : $options["sentinel_$name"], ['tls', 'username', 'password']);
        $this->tls = $tls === null ? $address->tls : Arguments::isOn($tls);
        $this->login = Stream::login($user, $password);
    }

    /** The master's host:port, as soon as a majority has answered, or after half of the time if anybody has. */
    public function findMaster(float $timeout): string
    {
        $half = microtime(true) + $timeout / 2;
        $majority = intdiv(count($this->address->sentinels), 2) + 1;
        $this->askAll($timeout, fn () => count($this->heard()) >= $majority || ($this->choose() !== null && microtime(true) >= $half));
        $first = $this->address->sentinels[0];
        $heard = count($this->heard());
        $why = match (true) {
            $heard === 0 => "no sentinel could be asked; $first: {$this->answers[$first]}",
            $heard < $majority && in_array(self::LATE, $this->answers, true) => "too few sentinels have answered in time, and none of them watches a master named '{$this->address->master}'",
            default => "the sentinels watch no master named '{$this->address->master}'",
        };
        return $this->choose() ?? throw new Failure("{$this->address->label}: $why", TROUBLE);
    }

    /** @return array<string, Answer|string> by host:port, what all say, or why one does not */
    public function askEach(float $timeout): array
    {
        $this->askAll($timeout, fn () => false);
        return $this->answers;
    }

    /** @param \Closure(): bool $isEnough is asked after each answer, and when half of the time is over */
    private function askAll(float $timeout, \Closure $isEnough): void
    {
        $start = microtime(true);
        $this->answers = array_fill_keys($this->address->sentinels, self::LATE);
        $talks = [];
        foreach ($this->address->sentinels as $where) {
            $talks[$where] = $this->talk($where, $timeout);
            $this->goOn($talks, $where, $talks[$where]->current(...));
        }
        while ($talks !== [] && !$isEnough() && ($spent = microtime(true) - $start) < $timeout) {
            $left = ($spent < $timeout / 2 ? $timeout / 2 : $timeout) - $spent;
            $read = $write = [];
            foreach ($talks as $where => $talk) {
                [$direction, $stream] = $talk->current();
                $direction === 'read' ? $read[$where] = $stream->handle() : $write[$where] = $stream->handle();
            }
            $failed = $write; // there Windows tells of a connection that was refused, and elsewhere among what can be written to
            stream_select($read, $write, $failed, (int) $left, (int) (fmod($left, 1) * 1e6) + 1);
            foreach ([...$read, ...$write, ...$failed] as $where => $_) {
                $this->goOn($talks, $where, $talks[$where]->next(...));
            }
        }
    }

    /** Goes on with one talk, and notes what it came to. @param array<string, \Generator> $talks those under way */
    private function goOn(array &$talks, string $where, callable $step): void
    {
        try {
            $step();
            if (!$talks[$where]->valid()) {
                $this->answers[$where] = $talks[$where]->getReturn();
                unset($talks[$where]);
            }
        } catch (Failure $e) {
            $this->answers[$where] = $e->getMessage();
            unset($talks[$where]);
        }
    }

    /** Asks one sentinel. Yields what it has to wait for: 'read' or 'write', and the stream. Returns its Answer. */
    private function talk(string $where, float $timeout): \Generator
    {
        $fail = fn (string $why) => throw new Failure(Stream::inWords($why, self::MEANS), TROUBLE);
        $stream = Stream::open(Address::socket($where, $this->tls), $this->tlsOptions, $timeout, $fail, atOnce: true);
        yield ['write', $stream];
        $stream->mustBeMade();
        while ($this->tls && !$stream->secure()) {
            yield ['read', $stream];
        }
        $stream->send([...$this->login, ['SENTINEL', 'MASTER', $this->address->master], ['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', $this->address->master]]);
        yield ['read', $stream];
        $this->login === [] || $stream->takeLogin();
        [$about, $where] = $stream->replies(2);
        return $about instanceof Failure && $where instanceof Failure ? $fail($where->getMessage()) : new Answer($about, $where);
    }

    /** @return array<string, Answer> */
    private function heard(): array
    {
        return array_filter($this->answers, fn ($answer) => $answer instanceof Answer);
    }

    /** Where the master is, by the highest epoch, and among equals by most of the sentinels. Null: none knows it. */
    private function choose(): ?string
    {
        $known = array_filter($this->heard(), fn ($answer) => $answer->at !== null);
        $named = array_count_values(array_column($known, 'at'));
        usort($known, fn ($a, $b) => [$b->epoch, $named[$b->at]] <=> [$a->epoch, $named[$a->at]]);
        return $known === [] ? null : $known[0]->at;
    }
}
