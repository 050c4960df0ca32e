<?php
declare(strict_types=1);

namespace Bench;

/** A worker process of one peer; what it understands stands in workers/worker.php. */
final class Crew
{
    /** @var resource */
    private $process;
    /** @var array<int, resource> */
    private array $pipes = [];

    /** @param string[] $command */
    public function __construct(private readonly array $command)
    {
        $this->process = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $this->pipes);
    }

    /**
     * @param string[] $wrap a command that runs it: valgrind with its options
     * @param string $machine which one its processes believe to be on: those of another do not see their shared memory
     */
    public static function of(Peer $peer, array $wrap = [], string $machine = 'here'): self
    {
        $settings = $peer->id === 'ours-uncounted' ? ['-d', 'redislock.metrics=0'] : [];
        $php = fn () => [...self::php($peer->isBefore(), $machine), ...$settings, dirname(__DIR__) . '/workers/worker.php', $peer->id];
        return new self([...$wrap, ...$peer->isRaw() ? [getenv('BENCH_RAW')] : $php()]);
    }

    /** @return string[] the command that runs a PHP with all extensions that the peers need */
    public static function php(bool $before = false, string $machine = 'here'): array
    {
        $memory = getenv('BENCH_SHARED') . "/$machine";
        is_dir($memory) || mkdir($memory);
        $own = ['-d', 'extension=' . getenv($before ? 'BENCH_BEFORE' : 'BENCH_OURS'), '-d', "redislock.shared_memory=$memory"];
        return [PHP_BINARY, ...explode("\n", getenv('BENCH_PHP_OPTIONS')), ...$own];
    }

    public function pid(): int
    {
        return proc_get_status($this->process)['pid'];
    }

    public function order(array $order): array
    {
        $this->tell($order);
        return $this->answer();
    }

    public function tell(array $message): void
    {
        fwrite($this->pipes[0], json_encode($message, JSON_UNESCAPED_SLASHES) . "\n");
    }

    /** Waits as long as it takes: whatever a worker does has an end of its own. */
    public function answer(int $seconds = 180): array
    {
        $read = [$this->pipes[1]];
        $none = null;
        $line = stream_select($read, $none, $none, $seconds) ? fgets($this->pipes[1]) : 'nothing within ' . $seconds . ' s';
        $answer = is_string($line) ? json_decode($line, true) : null;
        if (!is_array($answer) || isset($answer['error'])) {
            throw new \RuntimeException(basename($this->command[count($this->command) - 1]) . ' says: ' . ($answer['error'] ?? var_export($line, true)));
        }
        return $answer;
    }

    public function end(): void
    {
        fclose($this->pipes[0]);
        if (!wait_until(fn () => !proc_get_status($this->process)['running'], 5)) {
            proc_terminate($this->process, SIGKILL);
        }
        fclose($this->pipes[1]);
        proc_close($this->process);
    }
}
