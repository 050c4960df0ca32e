<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Whether a cluster can be locked on: each of its masters, and what no single one tells. */
final class ClusterCheckup
{
    /** @var array<string, array<string, mixed>> host:port => what is told of a master; 'error': why it cannot be asked */
    private array $masters = [];
    /** @var array<string, list<string>> 'warnings' or 'notes' => those of the whole cluster */
    private array $told = ['warnings' => [], 'notes' => []];
    /** @var array<string, array<string, list<string>>> the same => text => the masters of which it holds */
    private array $each = ['warnings' => [], 'notes' => []];
    /** @var array<string, string> host:port => why it does not answer */
    private array $silent = [];
    /** @var array<string, string> what a master says of the whole => host:port */
    private array $states = [];
    /** @var array<string, string> host:port => how the others see it, if it is not well */
    private array $suspects = [];
    private int $open = 0; // slots that are on their way from one master to another

    public function __construct(private readonly Server $server)
    {
    }

    /** @return array<string, mixed> */
    public function run(): array
    {
        $cluster = $this->server->cluster;
        foreach ($cluster->masters() as $node) {
            $this->examineMaster($node);
        }
        $replicas = array_unique(array_merge(...array_column($cluster->shards(), 'replicas')));
        foreach ($replicas as $where) {
            $this->ask($cluster->node($where), fn (Node $node) => $node->tryTo('PING'));
        }
        $silent = $this->silent;
        foreach (array_diff($this->server->address->seeds, array_keys($this->masters), $replicas) as $where) {
            $this->ask($cluster->node($where), fn (Node $node) => $node->tryTo('PING'));
        }
        $facts = [
            'state' => array_key_first($this->states),
            'slots' => array_sum(array_map(fn ($shard) => $shard->last - $shard->first + 1, $cluster->shards())),
            'masters' => count($this->masters),
            'replicas' => count($replicas),
            'silent' => array_keys($silent),
            'open_slots' => $this->open,
        ];
        $this->examineCluster($facts);
        $times = array_column($this->masters, 'lock_and_unlock');
        return [
            'server' => $this->server->address->label,
            'cluster' => $facts,
            'lock_and_unlock' => count(array_filter($times)) === count($this->masters) ? max($times) : null,
            'nodes' => $this->masters,
            'warnings' => [...$this->told['warnings'], ...$this->grouped('warnings')],
            'notes' => [...$this->told['notes'], ...$this->grouped('notes')],
        ];
    }

    private function examineMaster(Node $node): void
    {
        $isHere = fn (string $name) => $this->server->cluster->nodeOf($this->server->prefix . $name) === $node;
        $facts = $this->ask($node, function (Node $node) use ($isHere) {
            $this->hear($node->where, (string) $node->tryTo('CLUSTER', 'INFO'), (string) $node->tryTo('CLUSTER', 'NODES'));
            return (new Checkup($this->server, $node, $isHere))->run();
        });
        foreach (array_keys($this->each) as $kind) {
            foreach ($facts[$kind] ?? [] as $text) {
                $this->each[$kind][$text][] = $node->where;
            }
        }
        $this->masters[$node->where] = $facts ?? ['server' => $node->where, 'lock_and_unlock' => null, 'error' => $this->silent[$node->where]];
    }

    /** What the node is asked; null: it does not answer, which is noted. */
    private function ask(Node $node, callable $question): mixed
    {
        try {
            return $question($node);
        } catch (Failure $e) {
            $this->silent[$node->where] = substr($e->getMessage(), strlen("{$this->server->address->label}: $node->where: "));
            return null;
        }
    }

    /** Takes in what a node says of the cluster: the state, nodes that others miss, and its own slots that are on their way. */
    private function hear(string $where, string $info, string $nodes): void
    {
        if (preg_match('/^cluster_state:(\w+)/m', $info, $found)) {
            $this->states += [$found[1] => $where];
            krsort($this->states); // fail is to be told, where a node says so
            $this->states = isset($this->states['fail']) ? ['fail' => $this->states['fail']] : $this->states;
        }
        foreach (explode("\n", $nodes) as $line) {
            $words = explode(' ', $line);
            $flags = explode(',', $words[2] ?? '');
            if (array_intersect($flags, ['fail', 'fail?']) !== []) {
                $this->suspects[strtok($words[1], '@')] = in_array('master', $flags, true) ? 'master' : 'replica';
            }
            $this->open += in_array('myself', $flags, true) ? preg_match_all('/ \[\d+->-/', $line) : 0;
        }
    }

    /** @param array<string, mixed> $facts */
    private function examineCluster(array $facts): void
    {
        foreach ($this->silent as $where => $why) {
            match (true) {
                isset($this->masters[$where]) => $this->told['warnings'][] = "a master does not answer: $where: $why: names in its slots cannot be locked until a replica takes over",
                in_array($where, $facts['silent'], true) => $this->told['notes'][] = "a replica does not answer: $where: $why",
                default => $this->told['notes'][] = "a node that the DSN names does not answer: $where: $why",
            };
        }
        foreach (array_diff_key($this->suspects, $this->silent) as $where => $role) {
            $this->told['notes'][] = "other nodes see $where, a $role, as failed";
        }
        if ($facts['state'] !== 'ok' && $facts['state'] !== null) {
            $this->told['warnings'][] = "{$this->states[$facts['state']]} says that the cluster is down (cluster_state:{$facts['state']}): it refuses locks (CLUSTERDOWN)";
        }
        if ($facts['slots'] < Cluster::SLOTS) {
            $this->told['warnings'][] = "only {$facts['slots']} of " . Cluster::SLOTS . ' slots have a master: names in the others cannot be locked (CLUSTERDOWN)';
        }
        if ($this->open > 0) {
            $this->told['notes'][] = ($this->open === 1 ? 'a slot is' : "$this->open slots are") . ' on the way to another master: if nobody is moving slots now, a move broke off, which redis-cli --cluster fix ends';
        }
        if ($facts['masters'] < 3) {
            $this->told['notes'][] = ($facts['masters'] === 1 ? 'one master' : 'two masters') . ': where the nodes elect who takes over, that needs a majority of the masters; have three';
        }
        if (count($this->server->address->seeds) === 1 && $facts['masters'] + $facts['replicas'] > 1 && preg_match('/^[\d.]+:|^\[/', $this->server->address->seeds[0])) {
            $this->told['notes'][] = 'the DSN names one node of ' . $facts['masters'] + $facts['replicas'] . ': where it is down, a new process finds no other; name several';
        }
    }

    /** @return list<string> what was told of masters, each text once */
    private function grouped(string $kind): array
    {
        $all = count($this->masters);
        $of = fn ($masters) => $all > 1 && count($masters) === $all ? 'each master' : implode(', ', $masters);
        return array_map(fn ($text, $masters) => $of($masters) . ": $text", array_keys($this->each[$kind]), $this->each[$kind]);
    }
}
