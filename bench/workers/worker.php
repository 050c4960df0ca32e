<?php
declare(strict_types=1);

/*
 * The worker of all but the raw loop, which worker.c is.
 *
 *     php worker.php PEER
 *
 * A worker reads orders from standard input, each a JSON object on a line, and answers each with a line.
 * Times are ns of CLOCK_MONOTONIC. What is much goes into files of 64-bit integers.
 *
 *     {"do": "pairs", servers, name, count, file}   lock and unlock one name; file: ns of each pair
 *                                                   -> {"ns": of all}
 *     {"do": "names", servers, count}               lock so many names, then release all -> {"lock": ns, "unlock": ns}
 *     {"do": "hold", servers, name}                 locks, and keeps it -> {"held": true}
 *     {"do": "memory", servers}                     -> {"kb": what the first lock adds to a process' own memory, "again": what
 *                                                      a connection to the second server adds to that}
 *     {"do": "crowd", servers, name, first, processes, hold, pause, most, patience, late, folder}
 *         so many processes, each with its own connection, want one lock again and again; `first` is the number of the first.
 *         -> {"ready": [their pids]} when all are connected; then {"from": ns, "until": ns} lets them go; -> {"done": true}.
 *         folder/NUMBER: of each section when the lock was asked for, when it was had, when its release began and when it
 *         ended; 0, 0, 0 for one that was given up after `patience` seconds. hold: µs that a section takes, pause: µs after
 *         it, most: sections of each process (0: no limit), late: µs by which all but number 0 come later. A section that
 *         begins after `until` is not held.
 *
 * It ends with its standard input.
 */

namespace Bench;

require __DIR__ . '/../adapters.php';

function own_memory(): int
{
    preg_match('/^Private_Dirty:\s+(\d+) kB/m', file_get_contents('/proc/self/smaps_rollup'), $found);
    return (int) $found[1];
}

/** In a process of its own, from which $task's answer comes. */
function aside(callable $task): mixed
{
    [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
    $pid = pcntl_fork();
    if ($pid === 0) {
        fclose($here);
        fwrite($there, json_encode($task()));
        leave();
    }
    fclose($there);
    $answer = json_decode(stream_get_contents($here), true);
    pcntl_waitpid($pid, $status);
    return $answer;
}

/** Ends a child at once: what the parent will clean up is not its own. */
function leave(): never
{
    posix_kill(posix_getpid(), SIGKILL);
    exit;
}

final class Worker
{
    private ?Adapter $lock = null;
    /** @var string[] */
    private array $servers = [];

    public function __construct(private readonly string $peer)
    {
    }

    public function pairs(array $order): array
    {
        $lock = $this->lock($order['servers']);
        ['name' => $name, 'count' => $count] = $order;
        $times = array_fill(0, $count, 0);
        $last = $start = hrtime(true);
        for ($i = 0; $i < $count; $i++) {
            $lock->lock($name, 30) && $lock->unlock($name) || throw new \RuntimeException("$this->peer: could not lock");
            $now = hrtime(true);
            $times[$i] = $now - $last;
            $last = $now;
        }
        if ($order['file'] !== '') {
            file_put_contents($order['file'], pack('q*', ...$times));
        }
        return ['ns' => $last - $start];
    }

    public function names(array $order): array
    {
        $lock = $this->lock($order['servers']);
        $names = array_map(fn ($i) => "many:$i", range(1, $order['count']));
        $start = hrtime(true);
        foreach ($names as $name) {
            $lock->lock($name, 30) || throw new \RuntimeException("$this->peer: could not lock");
        }
        $locked = hrtime(true);
        $lock->unlockAll($names) || throw new \RuntimeException("$this->peer: could not release all");
        return ['lock' => $locked - $start, 'unlock' => hrtime(true) - $locked];
    }

    public function hold(array $order): array
    {
        return ['held' => $this->lock($order['servers'])->lock($order['name'], 30)];
    }

    public function memory(array $order): array
    {
        return aside(function () use ($order): array {
            $locks = [];
            $at = [own_memory()];
            foreach ($order['servers'] as $server) {
                $locks[] = $lock = adapter($this->peer, [$server]);
                $lock->lock('memory', 30);
                $lock->unlock('memory');
                $at[] = own_memory();
            }
            return ['kb' => $at[1] - $at[0], 'again' => $at[2] - $at[1]];
        });
    }

    public function crowd(array $order): array
    {
        $doors = [];
        for ($i = $order['first']; $i < $order['first'] + $order['processes']; $i++) {
            [$here, $there] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
            $pid = pcntl_fork();
            if ($pid === 0) {
                array_map('fclose', $doors);
                fclose($here);
                $this->visit($i, $order, $there);
                leave();
            }
            fclose($there);
            $doors[$pid] = $here;
        }
        array_map('fgets', $doors);
        answer(['ready' => array_keys($doors)]);
        $go = fgets(STDIN) ?: exit;
        foreach ($doors as $door) {
            @fwrite($door, $go);
        }
        $well = true;
        foreach ($doors as $pid => $door) {
            $well = fgets($door) === "done\n" && $well;
            pcntl_waitpid($pid, $status);
        }
        return $well ? ['done' => true] : ['error' => 'a process of the crowd ended early'];
    }

    /** @param resource $door */
    private function visit(int $number, array $order, $door): void
    {
        ['name' => $name, 'hold' => $hold, 'pause' => $pause, 'most' => $most, 'patience' => $patience] = $order;
        $lock = adapter($this->peer, $order['servers']);
        $lock->lock("$name:$number", 30);
        $lock->unlock("$name:$number");
        fwrite($door, "ready\n");
        ['from' => $from, 'until' => $until] = json_decode(fgets($door) ?: leave(), true);
        $from += $number > 0 ? $order['late'] * 1000 : 0;
        $times = [];
        while (($now = hrtime(true)) < $from) {
            usleep((int) min(($from - $now) / 1000 + 1, 100000));
        }
        do {
            $asked = hrtime(true);
            $end = $asked + $patience * 1000000000;
            while (!$lock->lock($name, $patience)) {
                if (hrtime(true) >= $end) {
                    array_push($times, $asked, 0, 0, 0);
                    break 2;
                }
            }
            $got = hrtime(true);
            if ($hold > 0 && $got < $until) {
                usleep($hold);
            }
            $released = hrtime(true);
            $lock->unlock($name);
            array_push($times, $asked, $got, $released, hrtime(true));
            if ($pause > 0) {
                usleep($pause);
            }
        } while (hrtime(true) < $until && --$most !== 0);
        file_put_contents("$order[folder]/$number", pack('q*', ...$times));
        fwrite($door, "done\n");
    }

    /** @param string[] $servers */
    private function lock(array $servers): Adapter
    {
        if ($this->lock === null || $this->servers !== $servers) {
            $this->lock = adapter($this->peer, $servers);
            $this->servers = $servers;
        }
        return $this->lock;
    }
}

function answer(array $answer): void
{
    fwrite(STDOUT, json_encode($answer) . "\n");
}

ini_set('display_errors', 'stderr');
$worker = new Worker($argv[1]);
while (($line = fgets(STDIN)) !== false) {
    $order = json_decode($line, true);
    try {
        answer(match ($order['do']) {
            'pairs' => $worker->pairs($order),
            'names' => $worker->names($order),
            'hold' => $worker->hold($order),
            'memory' => $worker->memory($order),
            'crowd' => $worker->crowd($order),
        });
    } catch (\Throwable $e) {
        answer(['error' => get_class($e) . ': ' . $e->getMessage()]);
    }
}
