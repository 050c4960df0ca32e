<?php
declare(strict_types=1);

namespace Bench;

/** RESULTS.md, its plots, and the numbers of every run. */
final class Report
{
    /** The workload of the comparison: processes as a web server has them. */
    private const VISITORS = 'visitors direct 16 1';
    private const TAIL = 'tail-visitors';
    private const WHERE = ['direct' => '', 'tcp' => ', TCP on loopback', 'delayed' => ', through the proxy'];

    /** @var array<string, array<string, array<string, float[]>>> as in results.json, so that the report can be written anew */
    private readonly array $results;

    /**
     * @param array<string, array<string, array<string, float[]>>> $results see Bench
     * @param array<string, array<string, float[]>> $waits the same; none where a report is only written anew: the plots of waits stay
     * @param string[] $errors
     * @param array<string, string> $facts see Machine
     */
    public function __construct(
        private readonly Peers $peers,
        array $results,
        private readonly array $waits,
        private readonly array $errors,
        private readonly array $facts,
    ) {
        array_walk_recursive($results, function (&$number) {
            $number = is_nan($number) ? NAN : (float) sprintf('%.6g', $number);
        });
        $this->results = $results;
    }

    public function write(string $folder): void
    {
        is_dir("$folder/plots") || mkdir("$folder/plots");
        $plots = $this->plots();
        foreach (glob("$folder/plots/*.svg") as $file) {
            isset($plots[basename($file, '.svg')]) || unlink($file);
        }
        foreach ($plots as $name => $plot) {
            if ($this->waits !== [] || !str_starts_with($name, 'waits-')) {
                file_put_contents("$folder/plots/$name.svg", $plot->svg());
            }
        }
        file_put_contents("$folder/RESULTS.md", $this->page(array_keys($plots)));
        file_put_contents("$folder/results.json", $this->numbers());
    }

    /** What is printed at the end. */
    public function summary(): string
    {
        $bounds = $this->bounds();
        $widths = array_map(fn ($i) => max(array_map(fn ($row) => self::length($row[$i]), $bounds)), [0, 1, 2]);
        $lines = array_map(fn ($row) => rtrim(implode('  ', array_map(fn ($cell, $i) => $cell . str_repeat(' ', max(0, ($widths[$i] ?? 0) - self::length($cell))), $row, array_keys($row)))), $bounds);
        $missing = array_map(fn ($label, $why) => "missing: $label ($why)", array_keys($this->peers->missing), $this->peers->missing);
        $busy = Machine::wasBusy($this->facts) ? ['The machine was busy: these numbers say little.'] : [];
        return implode("\n", ['Targets (medians):', '', ...str_replace('**', '', $lines), '', ...$missing, ...$busy]);
    }

    /** How many characters it has; mbstring may be missing. */
    private static function length(string $text): int
    {
        return (int) preg_match_all('/./su', $text);
    }

    private function bounds(): array
    {
        return (new Bounds($this->results))->table();
    }

    /** @param string[] $plots */
    private function page(array $plots): string
    {
        $sections = [
            $this->comparison(),
            $this->head(),
            $this->before(),
            $this->wins(),
            $this->uncontended(),
            $this->contended(),
            "## Plots\n\nWaits, *back at once*: the many short ones of those who poll are of the one process that takes the lock again and again.\n\n" . implode("\n\n", array_map(fn ($name) => "![$name](plots/$name.svg)", array_filter($plots, fn ($name) => !str_starts_with($name, 'tail-')))) . "\n",
            $this->crowds(),
            $this->handOffs(),
            $this->turns(),
            $this->waiting(),
            $this->small(),
            $this->sale(),
            $this->redlock(),
            "## Targets\n\nWhat we set ourselves, and how far we are. `bin/bench` ends with them.\n\n" . self::table(['', 'Measured', 'Target', 'Met', 'Why not'], $this->bounds()),
            "## The numbers of every run\n\n[results.json](results.json).\n",
        ];
        return implode("\n", array_filter($sections));
    }

    /** What most readers come for: a picture, and a table of a row for each peer. */
    private function comparison(): string
    {
        $page = "# Side by side\n\nWritten by `bin/bench`, which runs all of this again. Numbers are medians over the runs, in the tables further down with\n"
            . "the smallest and the largest in parentheses. What is measured and how: [README.md](README.md).\n";
        if (Machine::wasBusy($this->facts)) {
            $page .= "\n**The machine was busy when this began: these numbers say little.**\n";
        }
        if (isset($this->results[self::VISITORS])) {
            $page .= "\n![The longest wait and the p99 of each peer](plots/" . self::TAIL . ".svg)\n";
        }
        $columns = [
            ['16 visitors: wait p99, ms', self::VISITORS, 'p99'],
            ['16 visitors: longest wait, ms', self::VISITORS, 'max'],
            ['16 visitors: sections a second', self::VISITORS, 'rate'],
            ['500 at once: until all had it, ms', 'burst 500', 'span'],
            ['flash sale: requests a second', 'sale', 'rate'],
            ['flash sale: p99, ms', 'sale', 'p99'],
            ['instructions, lock and unlock', 'instructions', 'pair'],
        ];
        $columns = array_filter($columns, fn ($column) => isset($this->results[$column[1]]));
        $rows = [];
        foreach (array_diff_key($this->peers->present, ['limit' => 1], $this->peers->bridges()) as $id => $peer) {
            $numbers = array_map(fn ($column) => self::number($this->median($column[1], $id, $column[2]), 0), $columns);
            $unsafe = array_filter($this->results, fn ($of) => Peers::letsTwoIn($of[$id] ?? []));
            $rows[] = [$peer->label . ($unsafe !== [] ? ' (let two in at once)' : ''), ...$numbers];
        }
        return "$page\n" . self::table(['', ...array_column($columns, 0)], $rows)
            . "\n*Visitors*: 16 processes, each back 1 ms after its release, 1 ms in each section. *Flash sale*: over HTTP, php-fpm, 32 buyers.\n";
    }

    private function head(): string
    {
        $facts = array_map(fn ($name, $fact) => [$name, $fact], array_keys($this->facts), $this->facts);
        $facts[] = ['network', $this->network()];
        $page = "## The machine, and who takes part\n\n" . self::table(['', ''], $facts);
        $peers = array_map(fn ($peer) => [$peer->label, $peer->waits], array_values($this->peers->present));
        $missing = array_map(fn ($label, $why) => [$label, "**missing**: $why"], array_keys($this->peers->missing), $this->peers->missing);
        return "$page\n" . self::table(['Peer', 'Waits by'], [...$peers, ...$missing]) . $this->broken();
    }

    private function network(): string
    {
        $cell = fn ($what) => $this->cell('network', 'limit', $what, 2);
        return "a PING each ms takes {$cell('through')} ms through the proxy, which delays by {$cell('delay')} ms each way, and {$cell('without')} ms without";
    }

    private function broken(): string
    {
        return $this->errors === [] ? '' : "\nCould not be measured:\n\n" . implode('', array_map(fn ($error) => '- ' . strtr($error, "\n", ' ') . "\n", $this->errors));
    }

    /** What was measured next to each other, as ratios: those of the runs. */
    private function before(): string
    {
        $asked = ['requests' => 'Requests', 'commands' => 'Commands', 'bytes_in' => 'Bytes in', 'bytes_out' => 'Bytes out', 'cpu' => 'CPU of Redis'];
        $tables = [
            '/^uncontended /' => ['to_limit' => 'Time', 'p99' => 'p99'] + $asked,
            '/^(crowd|visitors|batch) /' => ['rate' => 'Sections a second', 'handoff50' => 'Hand-off, p50', 'p99' => 'Wait, p99'] + $asked,
            '/^(waiting|burst) /' => ['requests' => 'Requests', 'cpu' => 'CPU of Redis', 'span' => 'Until all were served', 'max' => 'Longest wait'],
            '/^names$/' => ['lock' => 'Lock all', 'unlock' => 'Release all'],
            '/^redlock /' => ['p50' => 'p50', 'p99' => 'p99', 'rate' => 'Sections a second'],
            '/^(instructions|memory)$/' => ['pair' => 'Instructions', 'kb' => 'Memory', 'again' => 'of a second connection'],
        ];
        $page = "## Now, of before

Ours, of ours as it was at {$this->peers->against}: medians of the ratios of each run.
";
        foreach ($tables as $pattern => $columns) {
            $rows = [];
            foreach (preg_grep($pattern, array_keys($this->results)) as $workload) {
                foreach (['ours' => '', 'ours-once' => ', no wait'] as $ours => $form) {
                    $before = $this->results[$workload][strtr($ours, ['ours' => 'before'])] ?? [];
                    $ratio = fn ($what) => self::spread(Stats::ratios($this->results[$workload][$ours][$what] ?? [], $before[$what] ?? []), 3);
                    if ($before !== []) {
                        $rows[] = [$workload . $form, ...array_map($ratio, array_keys($columns))];
                    }
                }
            }
            $page .= $rows === [] ? '' : "
" . self::table(['', ...array_values($columns)], $rows);
        }
        return $this->peers->against === '' ? '' : $page;
    }

    /** One row for each thing in which a peer is better, with all places where it is. */
    private function wins(): string
    {
        $wins = [];
        foreach (Wins::of($this->results) as [$workload, $name, $ours, $peer, $its, $reason, $factor]) {
            $wins["$name: $reason"][] = ['name' => $name, 'reason' => $reason, 'factor' => $factor, 'workload' => $workload, 'numbers' => "$its, " . $this->peers->label($peer) . "; ours $ours"];
        }
        $rows = [];
        foreach ($wins as $all) {
            usort($all, fn ($one, $other) => $other['factor'] <=> $one['factor']);
            $others = implode(', ', array_column(array_slice($all, 1), 'workload'));
            $rows[] = [$all[0]['name'], $all[0]['workload'] . ': ' . $all[0]['numbers'], $others, $all[0]['reason']];
        }
        $text = $rows === [] ? "Nowhere.\n" : self::table(['What', 'Most of all', 'Also', 'Why'], $rows);
        return "## Where a peer is better\n\n*crowd direct 16 0*: 16 processes, hold 0 ms, back at once; *visitors*: back after 1 ms; *batch*: 20 sections each; *delayed*: through the proxy.\n\n$text";
    }

    private function uncontended(): string
    {
        $page = "## Uncontended: lock and unlock, one process\n\n*Time, of the limit's*: of many short rounds, each beside the raw loop, the median; the raw loop's own shows how exact that is.\n";
        foreach (['unix' => 'Unix socket', 'tcp' => 'TCP on loopback', 'delayed' => 'Through the proxy, 0.5 ms a round trip'] as $path => $title) {
            foreach (Places::all() as $place) {
                $workload = "uncontended $path $place->id";
                if (!isset($this->results[$workload])) {
                    continue;
                }
                $best = Wins::best(Peers::sound($this->results[$workload]), 'to_limit', -1)[1];
                $rows = $this->rows($workload, fn ($cell, $id) => [
                    $cell('p50', 1, 1000), $cell('p99', 1, 1000), $cell('rate', 0), $cell('to_limit', 2), self::number($this->median($workload, $id, 'to_limit') / $best, 2),
                    $cell('requests', 1), $cell('commands', 1), $cell('bytes_in', 0), $cell('bytes_out', 0), $cell('cpu', 1, 1e6),
                ]);
                $ping = $this->cell("ping $path $place->id at once", 'limit', 'ms', 0, 1000);
                $page .= "\n### $title, $place->title\n\nA PING takes $ping µs.\n\n"
                    . self::table(['', 'p50, µs', 'p99, µs', 'Pairs a second', 'Time, of the limit\'s', 'of the best peer\'s', 'Requests', 'Commands', 'Bytes in', 'Bytes out', 'CPU of Redis, µs'], $rows);
            }
        }
        return $page;
    }

    /** @return array<array{string, int, int[], string}> what the names of its workloads begin with, hold, processes, title */
    private function scenes(): array
    {
        $scenes = [];
        foreach (array_keys($this->results) as $workload) {
            if (preg_match('/^(crowd|visitors|batch) (direct|tcp|delayed) (\d+) (\d+)$/', $workload, $found)) {
                [, $kind, $path, $size, $hold] = $found;
                $habits = ['crowd' => 'back at once', 'visitors' => 'back after 1 ms', 'batch' => '20 sections each'][$kind];
                $title = "hold $hold ms, $habits" . self::WHERE[$path];
                $scenes["$kind $path $hold"] ??= ["$kind $path", (int) $hold, [], $title];
                $scenes["$kind $path $hold"][2][] = (int) $size;
            }
        }
        return $scenes;
    }

    private function contended(): string
    {
        $page = "## One name, many processes\n\n"
            . "*Back at once*: a process that has released asks again at once. Then who polls may have the lock many times in a row, while the\n"
            . "others sleep; *changes of the holder* leaves those out. *Back after 1 ms*: as a process of a web server, which has at least a\n"
            . "request to end and another to begin. *20 sections each*: back at once, until all have had theirs; the time counts until then.\n";
        foreach ($this->scenes() as [$begin, $hold, $sizes, $title]) {
            $names = ['rate' => 'sections a second', 'turns' => 'changes of the holder a second'];
            if ($hold > 0) {
                $names['of_allowed'] = 'sections a second, of what the hold and the raw loop\'s two round trips allow';
            }
            foreach ($names as $what => $name) {
                $rows = [];
                foreach ($this->peers->locks() as $id => $peer) {
                    $rows[] = [$peer->label, ...array_map(fn ($size) => $this->cell("$begin $size $hold", $id, $what, $what === 'of_allowed' ? 3 : 0), $sizes)];
                }
                $best = fn ($workload) => Wins::best(Peers::sound($this->results[$workload]), $what, 1)[1];
                $ratio = fn ($size) => $this->median("$begin $size $hold", 'ours', $what) / $best("$begin $size $hold");
                $rows[] = ['*ours, of the best peer\'s*', ...array_map(fn ($size) => self::number($ratio($size), 2), $sizes)];
                $page .= "\n### " . ucfirst("$title: $name\n\n") . self::table(['Processes', ...array_map('strval', $sizes)], $rows);
            }
        }
        return $page;
    }

    private function crowds(): string
    {
        $page = "## One name, many processes: waits, fairness, and what Redis pays\n\n"
            . "*Passed over*: how many who had waited at least 1 ms longer stood aside, a section. *Requests*, *commands*, *bytes* and *CPU*:\nof Redis, a section. "
            . "*Overlaps*: sections that began before the one before had ended. *Given up*: after 30 s.\n";
        $columns = ['', 'Wait p50, ms', 'p99', 'longest', 'Jain', 'Passed over', 'Requests', 'Commands', 'Bytes in', 'Bytes out', 'CPU, µs', 'Overlaps', 'Given up'];
        foreach ($this->scenes() as [$begin, $hold, $sizes, $title]) {
            foreach ($sizes as $size) {
                $rows = $this->rows("$begin $size $hold", fn ($cell) => [
                    $cell('p50', 2), $cell('p99', 1), $cell('max', 1), $cell('jain', 3), $cell('overtaken', 2), $cell('requests', 2), $cell('commands', 2),
                    $cell('bytes_in', 0), $cell('bytes_out', 0), $cell('cpu', 0, 1e6), $cell('overlaps', 0), $cell('given_up', 0),
                ]);
                $page .= "\n### $size processes, $title\n\n" . self::table($columns, $rows);
            }
        }
        return $page;
    }

    private function handOffs(): string
    {
        $page = "## Hand-off: from the begin of a release to the return of who was waiting\n";
        foreach ($this->scenes() as [$begin, $hold, $sizes, $title]) {
            if (!str_starts_with($begin, 'crowd')) {
                continue;
            }
            $columns = [''];
            foreach ($sizes as $size) {
                array_push($columns, "$size processes: p50, µs", 'p99, µs');
            }
            $rows = [];
            foreach ($this->peers->locks() as $id => $peer) {
                $row = [$peer->label];
                foreach ($sizes as $size) {
                    array_push($row, $this->cell("$begin $size $hold", $id, 'handoff50', 0, 1000), $this->cell("$begin $size $hold", $id, 'handoff99', 0, 1000));
                }
                $rows[] = $row;
            }
            $ping = $this->cell(Bench::pingLike(explode(' ', $begin)[1], $hold), 'limit', 'ms', 0, 1000);
            $page .= "\n### " . ucfirst("$title\n\nA PING ") . ($hold === 0 ? 'right after another' : 'each ms') . " takes $ping µs.\n\n" . self::table($columns, $rows);
        }
        return $page;
    }

    /** With local turns and without, next to each other. */
    private function turns(): string
    {
        $titles = [
            'crowd' => '%d processes', 'few' => '%d processes', 'fpm' => '%d workers of PHP-FPM', 'machines' => '%d processes of two machines',
            'mixed' => '%d processes, half of them with local turns', 'bridges' => '%d processes, by way of a framework',
        ];
        $rows = [];
        foreach ($this->results as $workload => $of) {
            if (preg_match('/^(\w+) (\w+) (\d+) (\d+)$/', $workload, $found) && isset($titles[$found[1]]) && preg_grep('/-local$/', array_keys($of))) {
                [, $kind, $path, $size, $hold] = $found;
                $rows[] = ['*' . sprintf($titles[$kind], $size) . ", hold $hold ms" . self::WHERE[$path] . '*', ...array_fill(0, 12, '')];
                $ours = array_intersect_key($of, $this->peers->turns() + $this->peers->control() + $this->peers->bridges());
                array_push($rows, ...array_map(fn ($id) => $this->turn($workload, $id), array_keys($ours)));
            }
        }
        $columns = [
            '', 'Sections a second', 'of 1/hold', 'of those without', 'of the best polling peer\'s', 'Wait p50, ms', 'p99', 'ideal', 'Jain', 'Requests',
            'CPU, µs', 'Overlaps', 'Share',
        ];
        return $rows === [] ? '' : "## Local turns\n\n[What they are](../docs/local.md). Each was measured right before or after the same without. *Of the best polling peer's*: its changes of the\n"
            . "holder. *Ideal*: where all take turns, and nothing takes time but their sections; of hold 0, at this rate. *The machine's own limit*: its processes pass a baton in\n"
            . "shared memory and ask no server. *Share*: what the first half had.\n\n"
            . self::table($columns, $rows) . $this->idle();
    }

    private function turn(string $workload, string $id): array
    {
        $cell = fn ($what, $decimals, $factor = 1) => $this->cell($workload, $id, $what, $decimals, $factor);
        $is_control = $id === Peer::control()->id;
        $without = $this->results[$workload][preg_replace('/-local$/', '', $id)] ?? [];
        $gain = str_ends_with($id, '-local') ? self::spread(Stats::ratios($this->results[$workload][$id]['rate'], $without['rate'] ?? []), 2) : '';
        $best = Wins::best(Peers::sound($this->results[$workload]), 'turns', 1)[1];
        return [
            $this->peers->label($id), $cell('rate', 0), $cell('of_hold', 3), $gain, $is_control ? '' : self::number($this->median($workload, $id, 'turns') / $best, 1),
            $cell('p50', 2), $cell('p99', 2), $cell('ideal', 2), $cell('jain', 3), $is_control ? '' : $cell('requests', 2), $is_control ? '' : $cell('cpu', 0, 1e6), $cell('overlaps', 0), $cell('share', 2),
        ];
    }

    private function idle(): string
    {
        $page = '';
        foreach (preg_grep('/^idle /', array_keys($this->results)) as $workload) {
            $rows = $this->rows($workload, fn ($cell) => [$cell('waiters', 3, 100), $cell('requests', 1), $cell('cpu', 2, 100), $cell('clients', 0)]);
            $page .= "\n### " . strtok($workload, 'idle ') . " wait for one holder, for long\n\n"
                . self::table(['', 'Processor time of all who wait, % of a processor', 'Requests a second, of all', 'CPU of Redis, %', 'Connections'], $rows);
        }
        return $page;
    }

    private function waiting(): string
    {
        $page = "## Crowds that wait, and crowds that come\n";
        foreach (array_keys($this->results) as $workload) {
            if (preg_match('/^waiting (\d+)$/', $workload, $found)) {
                $rows = $this->rows($workload, fn ($cell) => [$cell('requests', 1), $cell('cpu', 2, 100), $cell('clients', 0)]);
                $page .= "\n### $found[1] wait for one holder\n\n" . self::table(['', 'Requests a second, of all', 'CPU of Redis, %', 'Connections'], $rows);
            } elseif (preg_match('/^burst (\d+)$/', $workload, $found)) {
                $rows = $this->rows($workload, fn ($cell) => [$cell('span', 0), $cell('p50', 0), $cell('p99', 0), $cell('max', 0), $cell('overlaps', 0), $cell('given_up', 0)]);
                $page .= "\n### $found[1] arrive at once, each for one section\n\n"
                    . self::table(['', 'All served, ms', 'Wait p50, ms', 'p99', 'longest', 'Overlaps', 'Given up after ' . Bench::PATIENCE . ' s'], $rows);
            }
        }
        return $page;
    }

    private function small(): string
    {
        $page = '';
        if (isset($this->results['names'])) {
            $page .= "## Many names held by one process\n\n" . self::table(['', 'Lock all, ms', 'Release all, ms'], $this->rows('names', fn ($cell) => [$cell('lock', 0), $cell('unlock', 0)])) . "\n";
        }
        $rows = [];
        foreach ($this->peers->present as $id => $peer) {
            $rows[] = [$peer->label, $this->cell('instructions', $id, 'pair', 0), $this->cell('memory', $id, 'kb', 0), $this->cell('memory', $id, 'again', 0)];
        }
        $loop = $this->cell('instructions', 'none', 'pair', 0);
        return $page . "## Cost in the client\n\nInstructions: of user space, by callgrind, less the $loop that the loop and the adapter of a PHP peer need without any lock.\n"
            . "Memory: what the first lock of a new process adds to its own memory, code loaded for it included, and what one on a second connection adds to that.\n\n"
            . self::table(['', 'Instructions a pair', 'Memory, KB', 'of a second connection, KB'], $rows);
    }

    private function sale(): string
    {
        if (!isset($this->results['sale'])) {
            return "## Flash sale over HTTP\n\nNot measured: nginx, php-fpm or wrk is missing, or it was not asked for.\n";
        }
        $rows = [];
        foreach ($this->results['sale'] as $id => $numbers) {
            $rows[] = [$this->peers->label($id), ...array_map(fn ($what) => $this->cell('sale', $id, $what, in_array($what, ['p50', 'p99'], true) ? 1 : 0), ['rate', 'p50', 'p99', 'orders', 'oversold', 'refused'])];
        }
        return "## Flash sale over HTTP\n\n300 pieces, 32 buyers who ask again and again (wrk), nginx, 16 processes of php-fpm, SQLite.\n\n"
            . self::table(['', 'Requests a second', 'p50, ms', 'p99, ms', 'Orders', 'Oversold', 'Failed'], $rows);
    }

    private function redlock(): string
    {
        $rows = [];
        foreach (array_keys($this->results['redlock well'] ?? []) as $id) {
            $rows[] = [
                $this->peers->label($id) . ($id === 'symfony' ? ', CombinedStore' : ''),
                $this->cell('redlock well', $id, 'one', 3), $this->cell('redlock well', $id, 'p50', 3), $this->cell('redlock well', $id, 'p99', 2),
                $this->cell('redlock one silent', $id, 'p50', 2), $this->cell('redlock one silent', $id, 'p99', 2),
                $this->cell('redlock crowd', $id, 'rate', 0), $this->cell('redlock crowd', $id, 'p99', 0), $this->cell('redlock crowd', $id, 'overlaps', 0),
            ];
        }
        return $rows === [] ? '' : "## Redlock: five nodes\n\n"
            . "The raw loop sends to all at once, and goes on when most have answered: what five servers cost on these processors.\n\n"
            . self::table(['', 'Pair on one of them, p50, ms', 'On all five, p50', 'p99', 'One silent: p50', 'p99', '4 processes, hold 1 ms: sections a second', 'Wait p99, ms', 'Overlaps'], $rows);
    }

    /** @return array<string, Plot|Bars> name => plot */
    private function plots(): array
    {
        $plots = isset($this->results[self::VISITORS]) ? [self::TAIL => $this->tail()] : [];
        foreach ($this->scenes() as [$begin, $hold, $sizes, $title]) {
            $name = str_replace(' ', '-', $begin) . "-hold-$hold";
            if (count($sizes) > 1) {
                $plots["throughput-$name"] = $this->overProcesses($begin, $hold, $sizes, 'rate', new Plot("One name, $title", 'processes', 'sections a second', true, true));
                $plots["changes-$name"] = $this->overProcesses($begin, $hold, $sizes, 'turns', new Plot("One name, $title", 'processes', 'changes of the holder a second', true, true));
            }
            $size = in_array(16, $sizes, true) ? 16 : max($sizes);
            $plots["waits-$name"] = $this->cdf("$begin $size $hold", "Waits of $size processes, $title");
        }
        return $plots;
    }

    /** @param int[] $sizes */
    private function overProcesses(string $begin, int $hold, array $sizes, string $what, Plot $plot): Plot
    {
        foreach ($this->peers->locks() as $id => $peer) {
            $plot->line($peer->label, $peer->colour, array_map(
                fn ($size) => [(float) $size, $this->median("$begin $size $hold", $id, $what)],
                $sizes,
            ));
        }
        return $plot;
    }

    /** Whoever reads nothing but the picture shall see what a visitor sees: how long one may have to wait. */
    private function tail(): Bars
    {
        $bars = new Bars('How long a visitor may wait', '16 processes want one lock, hold it for 1 ms, and are back 1 ms later', 'p99', 'longest wait', 'ms');
        foreach ($this->peers->locks() as $id => $peer) {
            [$p99, $longest] = [$this->median(self::VISITORS, $id, 'p99'), $this->median(self::VISITORS, $id, 'max')];
            if (!is_nan($longest)) {
                $bars->row($peer->label, $peer->colour, $p99, $longest);
            }
        }
        return $bars;
    }

    private function cdf(string $workload, string $title): Plot
    {
        $plot = new Plot($title, 'wait, ms', 'share of the acquisitions that waited no longer', false, false);
        foreach (array_intersect_key($this->waits[$workload] ?? [], $this->peers->present) as $id => $waits) {
            sort($waits);
            $shares = $waits === [] ? [] : range(0, 1, 0.005);
            $peer = $this->peers->present[$id];
            $plot->line($peer->label, $peer->colour, array_map(fn ($share) => [max(0.01, Stats::sorted($waits, $share)), $share], $shares));
        }
        return $plot;
    }

    private function numbers(): string
    {
        $results = $this->results;
        array_walk_recursive($results, function (&$number) {
            $number = is_nan($number) ? null : $number;
        });
        $json = json_encode(['machine' => $this->facts, 'missing' => $this->peers->missing, 'against' => $this->peers->against, 'results' => $results], JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        $lists = fn ($list) => preg_replace(['/\[\s+/', '/\s+\]/', '/\s+/'], ['[', ']', ' '], $list[0]); // a list of numbers is a line
        return preg_replace_callback('/\[[\d\s.,eEnul-]*\]/', $lists, $json) . "\n";
    }

    /** A row for each peer of a workload, in the order in which they are listed. */
    private function rows(string $workload, callable $cells): array
    {
        $rows = [];
        foreach (array_intersect_key($this->peers->present, $this->results[$workload] ?? []) as $id => $peer) {
            $cell = fn (string $what, int $decimals, float $factor = 1) => $this->cell($workload, $id, $what, $decimals, $factor);
            $rows[] = [$peer->label, ...$cells($cell, $id)];
        }
        return $rows;
    }

    private function median(string $workload, string $peer, string $what): float
    {
        return Stats::median($this->results[$workload][$peer][$what] ?? []);
    }

    /** The median, and behind it the smallest and largest where there were several runs. */
    private function cell(string $workload, string $peer, string $what, int $decimals, float $factor = 1): string
    {
        return self::spread($this->results[$workload][$peer][$what] ?? [], $decimals, $factor);
    }

    private static function spread(array $numbers, int $decimals, float $factor = 1): string
    {
        $numbers = array_filter($numbers, fn ($number) => !is_nan($number));
        if ($numbers === []) {
            return '–';
        }
        $show = fn ($number) => self::number($number * $factor, $decimals);
        [$low, $middle, $high] = [$show(min($numbers)), $show(Stats::median($numbers)), $show(max($numbers))];
        return $low === $high ? $middle : "$middle ({$low}–$high)";
    }

    private static function number(float $number, int $decimals): string
    {
        return is_nan($number) ? '–' : number_format($number, $decimals, '.', ' ');
    }

    /** @param string[] $columns */
    private static function table(array $columns, array $rows): string
    {
        $line = fn ($cells) => '| ' . implode(' | ', array_map(fn ($cell) => str_replace('|', '\\|', $cell), $cells)) . " |\n";
        return $line($columns) . $line(array_fill(0, count($columns), '---')) . implode('', array_map($line, $rows));
    }
}
