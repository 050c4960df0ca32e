<?php
/*
 * Sends to a StatsD server what all processes of this user on this machine have counted since the last time. One process a
 * machine and user, as the user of the pool:
 *
 *     STATSD=udp://127.0.0.1:8125 INTERVAL=10 php statsd.php
 *
 * Times are sent as their average since the last time, since StatsD wants single ones: percentiles are Prometheus' business.
 */
declare(strict_types=1);

const COUNTERS = ['acquired', 'waited', 'timed_out', 'held', 'full', 'failed', 'released', 'unreleased', 'lost', 'lost_while_held'];
const TIMES = ['wait' => 'acquired', 'hold' => 'released'];

/** What has been added since. */
function lines(string $group, array $now, array $before): array
{
    $lines = [];
    $group = 'redislock.' . preg_replace('/[^A-Za-z0-9_-]/', '_', $group);
    $more = [];
    foreach (COUNTERS as $name) {
        $more[$name] = $now[$name] - ($before[$name] ?? 0);
        $more[$name] > 0 && $lines[] = "$group.$name:$more[$name]|c";
    }
    foreach (TIMES as $name => $of) {
        $seconds = $now[$name]['sum'] - ($before[$name]['sum'] ?? 0.0);
        $more[$of] > 0 && $lines[] = sprintf('%s.%s:%.3F|ms', $group, $name, 1000 * $seconds / $more[$of]);
    }
    return $lines;
}

$statsd = stream_socket_client(getenv('STATSD') ?: 'udp://127.0.0.1:8125');
for ($before = RedisLock::metrics()['machine']['groups'] ?? [];; $before = $now) {
    usleep((int) (1e6 * (float) (getenv('INTERVAL') ?: 10)));
    $now = RedisLock::metrics()['machine']['groups'] ?? $before;
    foreach ($now as $group => $counts) {
        foreach (lines((string) $group, $counts, $before[$group] ?? []) as $line) {
            @fwrite($statsd, $line); // nobody may listen at present
        }
    }
}
