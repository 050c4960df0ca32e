<?php
declare(strict_types=1);

namespace Bench;

/**
 * A network between the clients and the server: a proxy that delays. It needs a processor, and to be woken, which takes a
 * machine as long as it takes. So it is told to delay by less, until a round trip takes EXTRA more than without it.
 */
final class Network
{
    /** ms by which a round trip takes longer than without */
    public const EXTRA = 0.5;
    /** times that the delay is corrected */
    private const STEPS = 4;

    public readonly string $url;
    /** ms of delay each way */
    private float $delay = self::EXTRA / 2;
    /** @var resource */
    private $process;
    /** @var resource tells the delay; the proxy ends with it */
    private $input;

    public function __construct(string $folder, Server $server)
    {
        $socket = "$folder/proxy.sock";
        $this->process = proc_open([getenv('BENCH_PROXY'), $socket, $server->socket], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        fgets($pipes[1]) === "ready\n" || throw new \RuntimeException('the proxy does not start');
        $this->input = $pipes[0];
        $this->url = "unix://$socket";
        $this->tell();
    }

    /**
     * Corrects the delay.
     *
     * @param callable(): float $without ms of a round trip to the server
     * @param callable(): float $through ms of one through the proxy
     * @return float[] ms of either at the end, and the delay each way
     */
    public function tune(callable $without, callable $through): array
    {
        for ($step = 0; $step < self::STEPS; $step++) {
            [$direct, $delayed] = [$without(), $through()];
            $this->delay = min(max($this->delay - ($delayed - $direct - self::EXTRA) / 2, 0), self::EXTRA / 2);
            $this->tell();
        }
        return ['without' => $without(), 'through' => $through(), 'delay' => $this->delay];
    }

    private function tell(): void
    {
        fwrite($this->input, round($this->delay * 1000) . "\n");
    }

    public function end(): void
    {
        fclose($this->input);
        proc_close($this->process);
    }
}
