<?php
declare(strict_types=1);

/** What a sale came to. */
final class Result
{
    /** @param array<string, int> $answers sold, refused, busy => buyers @param float[] $waits for the lock, in s, sorted */
    public function __construct(
        public readonly array $answers,
        public readonly array $waits,
        public readonly float $seconds,
        public readonly int $stock,
        public readonly int $orders,
        public readonly int $left,
    ) {
    }

    public function oversold(): int
    {
        return max(0, $this->orders - $this->stock);
    }

    /** Whether every item was sold exactly once, and everybody got an answer that is true. */
    public function held(int $buyers): bool
    {
        $sold = min($this->stock, $buyers);
        return $this->orders === $sold
            && $this->left === $this->stock - $sold
            && $this->answers === ['sold' => $sold, 'refused' => $buyers - $sold, 'busy' => 0];
    }

    public function wait(float $quantile): float
    {
        return $this->waits === [] ? 0.0 : $this->waits[(int) floor($quantile * (count($this->waits) - 1))];
    }
}

/** Lets a crowd of processes rush on one product. */
final class Sale
{
    private const SKU = 'SKU0001';

    /** @var array<int, resource> */
    private array $processes = [];
    /** @var array<int, resource> each process' standard input */
    private array $doors = [];
    /** @var array<int, resource> each process' standard output */
    private array $outputs = [];
    /** @var array<string, int> */
    private array $answers = ['sold' => 0, 'refused' => 0, 'busy' => 0];
    /** @var float[] */
    private array $waits = [];

    /** @param string[] $php the command by which PHP runs, with the extension loaded */
    public function __construct(
        private readonly array $php,
        private readonly string $folder,
        private readonly int $stock,
        private readonly int $buyers,
        private readonly int $crowd,
    ) {
    }

    /**
     * @param string|null $redis where the lock is; null: no lock
     * @param callable(array<string, int>): void $progress is told now and then how many were sold, refused and busy
     */
    public function run(?string $redis, callable $progress): Result
    {
        $database = $this->folder . '/' . ($redis === null ? 'without' : 'with') . '-lock.sqlite';
        $shop = Shop::create($database, self::SKU, $this->stock);
        $this->gather($database, $redis);

        $start = hrtime(true);
        $this->open();
        while ($this->outputs !== []) {
            $this->listen();
            $progress($this->answers);
        }
        $seconds = (hrtime(true) - $start) / 1e9;
        $this->close();

        sort($this->waits);
        return new Result($this->answers, $this->waits, $seconds, $this->stock, $shop->orders(self::SKU), $shop->stock(self::SKU));
    }

    /** Starts the processes and waits until each stands at the door. */
    private function gather(string $database, ?string $redis): void
    {
        for ($i = 1; $i <= $this->crowd; $i++) {
            $process = proc_open(
                [...$this->php, __DIR__ . '/buyers.php', $database, self::SKU, (string) $i, (string) $this->crowd, (string) $this->buyers, ...(array) $redis],
                [['pipe', 'r'], ['pipe', 'w']], // they inherit standard error; STDERR here would rewind a file
                $pipes,
            );
            if ($process === false) {
                throw new RuntimeException('a process could not be started');
            }
            $this->processes[$i] = $process;
            [$this->doors[$i], $this->outputs[$i]] = $pipes;
        }
        foreach ($this->outputs as $output) {
            if (fgets($output) !== "ready\n") {
                throw new RuntimeException('a process of buyers ended before the sale');
            }
            stream_set_blocking($output, false);
        }
    }

    private function open(): void
    {
        foreach ($this->doors as $door) {
            fwrite($door, "go\n");
        }
    }

    /** Takes in what the buyers were told. */
    private function listen(): void
    {
        $ready = $this->outputs;
        $none = null;
        if (stream_select($ready, $none, $none, 1) === false) {
            throw new RuntimeException('interrupted');
        }
        foreach ($ready as $i => $output) {
            while (($line = fgets($output)) !== false) {
                [$answer, $microseconds] = explode(' ', $line);
                $this->answers[$answer]++;
                $this->waits[] = (int) $microseconds / 1e6;
            }
            if (feof($output)) {
                unset($this->outputs[$i]);
            }
        }
    }

    private function close(): void
    {
        foreach ($this->processes as $process) {
            if (proc_close($process) !== 0) {
                throw new RuntimeException('a process of buyers failed: see above');
            }
        }
        $this->processes = $this->doors = [];
    }
}
