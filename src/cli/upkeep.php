<?php
declare(strict_types=1);

namespace Redislock\Cli;

/** How near the server is to its limits, and what has hit them already. */
final class Limits extends Check
{
    private const ROOM = 0.75; // of a limit: what is used beyond is told

    public function __construct(Patient $patient)
    {
        $patient->info !== [] || $this->notChecked('connections', 'INFO is refused: how many more may connect is not known', 'allow INFO', $patient->allow('+info'));
        $this->examineClients($patient);
        $this->examineMemory($patient);
    }

    private function examineClients(Patient $patient): void
    {
        [$clients, $most, $refused] = array_map($patient->number(...), ['connected_clients', 'maxclients', 'rejected_connections']);
        if ($most > 0 && $clients > self::ROOM * $most && $clients <= 0.9 * $most) {
            $this->note('connections', "$clients of $most clients are connected: who waits needs two connections", 'allow more', ...$patient->set('maxclients', (string) (2 * $most)));
        }
        if ($refused > 0) {
            $this->note('connections', "it has refused $refused connections since its start (maxclients $most): such a call throws, or takes longer", 'count anew once that has ended', $patient->cli('CONFIG', 'RESETSTAT'));
        }
    }

    private function examineMemory(Patient $patient): void
    {
        [$used, $most, $resident, $machine] = array_map($patient->number(...), ['used_memory', 'maxmemory', 'used_memory_rss', 'total_system_memory']);
        if ($most > 0 && $used > self::ROOM * $most && $used <= 0.9 * $most && $patient->get('maxmemory_policy') === 'noeviction') {
            $this->note('memory', sprintf('%.0f %% of maxmemory are used: when it is full, lock() throws (OOM)', 100 * $used / $most), 'give it more', ...$patient->set('maxmemory', (string) (2 * $most)));
        }
        if ($most === 0 && $machine > 0 && $resident > self::ROOM * $machine) {
            $half = (string) intdiv($machine, 2);
            $this->warn('memory', sprintf('it has no maxmemory, and %.0f %% of the machine\'s memory: the system may kill it, and with it all locks that are not on disk', 100 * $resident / $machine), 'set a limit', ...$patient->set('maxmemory', $half));
        }
    }
}

/** What a restart or a crash would cost, beyond what a checkup says of files that are not written at all. */
final class Restart extends Check
{
    public function __construct(Patient $patient)
    {
        $patient->info !== [] || $this->notChecked('disk', 'INFO is refused: what a restart would end is not known', 'allow INFO', $patient->allow('+info'));
        $appends = $patient->get('aof_enabled') === '1';
        $sync = $appends ? $patient->config('appendfsync') : null;
        if ($appends && $sync === 'no') {
            $this->warn('disk', 'appendfsync is no: a crash of the machine ends the locks of the last half minute', 'use everysec', ...$patient->set('appendfsync', 'everysec'));
        } elseif ($appends && $sync === null && $patient->info !== []) {
            $this->notChecked('disk', 'CONFIG GET is refused: how much a crash of the machine would lose (appendfsync) is not known', 'allow CONFIG GET, or see the console of the service', $patient->allow('+config|get'));
        }
        $delayed = $patient->number('aof_delayed_fsync');
        if ($delayed > 0) {
            $this->note('disk', "its disk was too slow for the AOF $delayed times since its start: all commands waited, for up to 2 s each time", 'give it a faster disk, then count anew', $patient->cli('CONFIG', 'RESETSTAT'));
        }
        [$changes, $saved] = array_map($patient->number(...), ['rdb_changes_since_last_save', 'rdb_last_save_time']);
        if (!$appends && $changes > 0 && ($patient->config('save') ?? '') !== '') {
            $this->note('disk', sprintf('what a crash now would undo: %d of its writes, all since %s', $changes, gmdate('Y-m-d H:i:s \U\T\C', $saved)), 'use appendonly yes, or save more often');
        }
    }
}

/** What an old server lacks, and whether its authors still mend it. */
final class Version extends Check
{
    /** The last day on which a release got fixes from its authors, as far as it was known when this was written. */
    private const ENDS = [
        'redis' => ['6.0' => '2022-05-31', '7.0' => '2024-07-29', '8.0' => '2026-02-11'],
        'valkey' => ['7.2' => '2029-04-16', '8.0' => '2027-09-15', '8.1' => '2030-03-31', '9.0' => '2028-10-21'],
    ];

    public function __construct(Patient $patient)
    {
        $version = $patient->version();
        if ($version === null) {
            $this->notChecked('version', 'INFO is refused: its version is not known', 'allow INFO', $patient->allow('+info'));
            return;
        }
        $like = $patient->get('redis_version') ?? '7.2.4'; // Valkey says what it is compatible with
        $lacks = match (true) {
            version_compare($like, '7.0', '<') => 'before 7.0, min-replicas-to-write does not hold for scripts, by which most locks are taken, and ACL DRYRUN is missing, by which rights are checked',
            version_compare($like, '7.2', '<') => 'before 7.2, a lease that is renewed may stay too long after the clock was set back, if the server was slow just then',
            default => null,
        };
        $release = implode('.', array_slice(explode('.', $version), 0, 2));
        $end = self::ENDS[$patient->isValkey() ? 'valkey' : 'redis'][$release] ?? null;
        $ended = $end !== null && $end < date('Y-m-d') ? "its authors have not mended it since $end, though a distribution may" : null;
        $what = implode('; ', array_filter([$lacks, $ended]));
        $what === '' || $this->note('version', "version $version: $what", 'upgrade it when you can');
    }
}

/** Whether the replicas are there and up to date. */
final class Replicas extends Check
{
    private const LATE = 10; // s

    public function __construct(Patient $patient)
    {
        $patient->info !== [] || $this->notChecked('replicas', 'INFO is refused: whether replicas are up to date is not known', 'allow INFO', $patient->allow('+info'));
        for ($i = 0; ($line = $patient->get("slave$i")) !== null; $i++) {
            $of = self::fields($line);
            $where = self::where($of);
            if (($of['state'] ?? 'online') !== 'online') {
                $this->warn('replicas', "its replica $where does not have its data yet ({$of['state']}): after a failover to it locks are gone", 'see its log', $patient->cli('INFO', 'replication'));
            } elseif ((int) ($of['lag'] ?? 0) > self::LATE) {
                $this->warn('replicas', "its replica $where was not heard of for {$of['lag']} s: after a failover to it locks are gone", 'see whether it runs, and its network', $patient->cli('INFO', 'replication'));
            }
        }
    }

    /** @return array<string, string> what INFO says of one: ip=…,port=…,state=… */
    public static function fields(string $line): array
    {
        preg_match_all('/(\w+)=([^,]*)/', $line, $found);
        return array_combine($found[1], $found[2]);
    }

    /** host:port @param array<string, string> $of */
    public static function where(array $of): string
    {
        $host = $of['ip'] ?? '';
        return (str_contains($host, ':') ? "[$host]" : $host) . ':' . ($of['port'] ?? '');
    }
}
