<?php
declare(strict_types=1);

namespace Bench;

/** A private Redis, on a unix socket and on a port of 127.0.0.1. */
final class Server
{
    public readonly string $unix;
    public readonly string $tcp;
    public readonly string $socket;

    /** @var resource */
    private $process;
    /** @var resource */
    private $connection;

    public function __construct(string $folder, int $number = 0)
    {
        $this->socket = "$folder/redis$number.sock";
        $this->unix = "unix://$this->socket";
        for ($try = 0; $try < 5; $try++) {
            $port = free_port();
            if ($this->launch($folder, $port)) {
                $this->tcp = "redis://127.0.0.1:$port";
                $this->connection = stream_socket_client($this->unix, timeout: 5);
                return;
            }
        }
        throw new \RuntimeException('the private Redis does not start: ' . @file_get_contents("$this->socket.log"));
    }

    private function launch(string $folder, int $port): bool
    {
        $command = [getenv('REDISLOCK_TEST_SERVER') ?: 'redis-server', '--port', $port, '--bind', '127.0.0.1',
            '--unixsocket', $this->socket, '--unixsocketperm', '700', '--dir', $folder, '--save', '', '--appendonly', 'no',
            '--daemonize', 'no', '--maxclients', '4000', '--logfile', "$this->socket.log"];
        $this->process = proc_open(array_map('strval', $command), [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
        return wait_until(fn () => !$this->runs() || @stream_socket_client($this->unix) !== false, 10) && $this->runs();
    }

    public function pid(): int
    {
        return proc_get_status($this->process)['pid'];
    }

    private function runs(): bool
    {
        return proc_get_status($this->process)['running'];
    }

    public function command(string ...$args): mixed
    {
        $request = '*' . count($args) . "\r\n";
        foreach ($args as $arg) {
            $request .= '$' . strlen($arg) . "\r\n$arg\r\n";
        }
        fwrite($this->connection, $request);
        return $this->reply();
    }

    private function reply(): mixed
    {
        $line = rtrim(fgets($this->connection) ?: throw new \RuntimeException('Redis is gone'), "\r\n");
        $rest = substr($line, 1);
        return match ($line[0]) {
            '+' => $rest,
            ':' => (int) $rest,
            '$' => $rest === '-1' ? null : substr(stream_get_contents($this->connection, (int) $rest + 2), 0, -2),
            '*' => array_map(fn () => $this->reply(), array_fill(0, max(0, (int) $rest), null)),
            default => throw new \RuntimeException("Redis says $line"),
        };
    }

    /** What it has done so far. */
    public function state(): State
    {
        return new State($this->command('INFO', 'everything'));
    }

    public function version(): string
    {
        preg_match_all('/^(redis_version|server_name|valkey_version):(.*?)\r?$/m', $this->command('INFO', 'server'), $found, PREG_SET_ORDER);
        return implode(', ', array_map(fn ($one) => str_replace('_', ' ', $one[1]) . " $one[2]", $found));
    }

    public function signal(int $signal): void
    {
        proc_terminate($this->process, $signal);
    }

    public function stop(): void
    {
        $this->signal(SIGCONT);
        $this->signal(SIGKILL);
        proc_close($this->process);
    }
}

/** A look at the statistics of a server. */
final class State
{
    /** @var array<string, float> */
    private array $values = [];
    /** @var array<string, int> command => calls */
    private array $calls = [];
    private int $length;

    public function __construct(string $info)
    {
        $this->length = strlen($info) + strlen('$' . strlen($info) . "\r\n\r\n");
        foreach (explode("\r\n", $info) as $line) {
            if (preg_match('/^cmdstat_([^:]+):calls=(\d+)/', $line, $found)) {
                $this->calls[$found[1]] = (int) $found[2];
            } elseif (preg_match('/^(\w+):([\d.]+)$/', $line, $found)) {
                $this->values[$found[1]] = (float) $found[2];
            }
        }
    }

    /** What came in between the look before and this one, without what the looks themselves cost. */
    public function since(self $before, Peer $peer): array
    {
        $grown = fn ($name) => ($this->values[$name] ?? NAN) - ($before->values[$name] ?? NAN);
        $requests = $commands = 0;
        foreach (array_diff_key($this->calls, ['info' => 0]) as $command => $calls) {
            $new = $calls - ($before->calls[$command] ?? 0);
            $commands += $new;
            $requests += $peer->isRequest($command) ? $new : 0;
        }
        return [
            'requests' => $requests,
            'commands' => $commands,
            'bytes_in' => $grown('total_net_input_bytes') - strlen("*2\r\n\$4\r\nINFO\r\n\$10\r\neverything\r\n"),
            'bytes_out' => $grown('total_net_output_bytes') - $before->length,
            'cpu' => $grown('used_cpu_user') + $grown('used_cpu_sys'),
        ];
    }

    public function clients(): int
    {
        return (int) $this->values['connected_clients'] - 1;
    }
}

/** Polls for something that takes a moment. */
function wait_until(callable $done, float $seconds): bool
{
    for ($end = microtime(true) + $seconds; !$done();) {
        if (microtime(true) > $end) {
            return false;
        }
        usleep(10000);
    }
    return true;
}

function free_port(): int
{
    $listener = stream_socket_server('tcp://127.0.0.1:0');
    $port = (int) substr(strrchr(stream_socket_get_name($listener, false), ':'), 1);
    fclose($listener);
    return $port;
}
