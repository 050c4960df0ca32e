<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** Whether a cluster can be locked on: each of its masters, and what no single one tells. */
final class ClusterCheckup extends Check
{
    /** @var array<string, array<string, mixed>> host:port => what is told of a master; 'error': why it cannot be asked */
    private array $masters = [];
    /** @var list<Remark> those of masters */
    private array $each = [];
    /** @var array<string, string> host:port => why it does not answer */
    private array $silent = [];
    /** @var array<string, string> what a master says of the whole => host:port */
    private array $states = [];
    /** @var array<string, string> host:port => how the others see it, if it is not well */
    private array $suspects = [];
    private int $open = 0; // slots that are on their way from one master to another

    /** @param list<\Closure(Patient): Check> $further what else looks at each master */
    public function __construct(private readonly Server $server, private readonly array $further = [])
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
        array_push($this->remarks, ...Remark::gather($this->each));
        $times = array_column($this->masters, 'lock_and_unlock');
        return [
            'server' => $this->server->address->label,
            'cluster' => $facts,
            'lock_and_unlock' => count(array_filter($times)) === count($this->masters) ? max($times) : null,
            'nodes' => $this->masters,
            'warnings' => $this->warnings(count($this->masters)),
            'notes' => $this->notes(count($this->masters)),
        ];
    }

    private function examineMaster(Node $node): void
    {
        $isHere = fn (string $name) => $this->server->cluster->nodeOf($this->server->prefix . $name) === $node;
        $facts = $this->ask($node, function (Node $node) use ($isHere) {
            $this->hear($node->where, (string) $node->tryTo('CLUSTER', 'INFO'), (string) $node->tryTo('CLUSTER', 'NODES'));
            $checkup = new Checkup($this->server, $node, $isHere, $this->further);
            $facts = $checkup->run();
            array_push($this->each, ...array_map(fn (Remark $remark) => $remark->at($node->where), $checkup->remarks));
            return $facts;
        });
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
            krsort($this->states); // fail is to be told, if a node says so
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
                isset($this->masters[$where]) => $this->critical('cluster', "a master does not answer: $where: $why: names in its slots cannot be locked until a replica takes over", 'start it, or have a replica take over'),
                in_array($where, $facts['silent'], true) => $this->note('replicas', "a replica does not answer: $where: $why", 'start it'),
                default => $this->note('cluster', "a node that the DSN names does not answer: $where: $why", 'start it, or take it out of the DSN'),
            };
        }
        foreach (array_diff_key($this->suspects, $this->silent) as $where => $role) {
            $this->note('cluster', "other nodes see $where, a $role, as failed");
        }
        $check = $this->server->cluster->masters()[0]->cliForCluster('check');
        if ($facts['state'] !== 'ok' && $facts['state'] !== null) {
            $this->critical('cluster', "{$this->states[$facts['state']]} says that the cluster is down (cluster_state:{$facts['state']}): it refuses locks (CLUSTERDOWN)", 'see what it lacks', $check);
        }
        if ($facts['slots'] < Cluster::SLOTS) {
            $this->critical('cluster', "only {$facts['slots']} of " . Cluster::SLOTS . ' slots have a master: names in the others cannot be locked (CLUSTERDOWN)', 'start their masters, or give the slots to others', $check);
        }
        if ($this->open > 0) {
            $slots = $this->open === 1 ? 'a slot is' : "$this->open slots are";
            $this->note('cluster', "$slots on the way to another master: if nobody is moving slots now, a move broke off", 'end it with redis-cli --cluster fix', $this->server->cluster->masters()[0]->cliForCluster('fix'));
        }
        if ($facts['masters'] < 3) {
            $masters = $facts['masters'] === 1 ? 'one master' : 'two masters';
            $this->note('cluster', "$masters: if the nodes elect who takes over, that needs a majority of the masters", 'have three');
        }
        $nodes = $facts['masters'] + $facts['replicas'];
        if (count($this->server->address->seeds) === 1 && $nodes > 1 && preg_match('/^[\d.]+:|^\[/', $this->server->address->seeds[0])) {
            $this->note('cluster', "the DSN names one node of $nodes: if it is down, a new process finds no other", 'name several');
        }
    }
}
