<?php
/*
 * Sends to an OpenTelemetry collector what all processes of this user on this machine have counted, by OTLP over HTTP (JSON).
 * Once, for a timer, as the user of the pool:
 *
 *     OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://127.0.0.1:4318/v1/metrics php opentelemetry.php
 *
 * The numbers are sums since the machine started, so a run that is left out loses nothing.
 */
declare(strict_types=1);

const OUTCOMES = ['acquired', 'timed_out', 'held', 'full', 'failed', 'interrupted'];
const CUMULATIVE = 2;

function attributes(array $pairs): array
{
    return array_map(fn ($key, $value) => ['key' => $key, 'value' => ['stringValue' => $value]], array_keys($pairs), array_values($pairs));
}

$metrics = RedisLock::metrics();
if ($metrics['machine'] === null) {
    fwrite(STDERR, ($metrics['problem'] ?? 'nobody has counted yet') . "\n");
    exit(1);
}
$time = ['timeUnixNano' => (string) (int) (microtime(true) * 1e9)];
$calls = $lost = $wait = $hold = [];
foreach ($metrics['machine']['groups'] as $name => $counts) {
    $group = preg_match('//u', (string) $name) ? (string) $name : rawurlencode($name);
    foreach (OUTCOMES as $outcome) {
        $calls[] = $time + ['asInt' => (string) $counts[$outcome], 'attributes' => attributes(['group' => $group, 'outcome' => $outcome])];
    }
    $lost[] = $time + ['asInt' => (string) ($counts['lost'] + $counts['lost_while_held']), 'attributes' => attributes(['group' => $group])];
    foreach (['wait', 'hold'] as $times) {
        ${$times}[] = $time + [
            'count' => (string) array_sum($counts[$times]['counts']),
            'sum' => $counts[$times]['sum'],
            'bucketCounts' => array_map(strval(...), $counts[$times]['counts']),
            'explicitBounds' => $metrics['bounds'],
            'attributes' => attributes(['group' => $group]),
        ];
    }
}
$sum = fn ($name, $points) => ['name' => $name, 'unit' => '1', 'sum' => ['aggregationTemporality' => CUMULATIVE, 'isMonotonic' => true, 'dataPoints' => $points]];
$histogram = fn ($name, $points) => ['name' => $name, 'unit' => 's', 'histogram' => ['aggregationTemporality' => CUMULATIVE, 'dataPoints' => $points]];
$body = ['resourceMetrics' => [[
    'resource' => ['attributes' => attributes(['service.name' => 'redislock', 'host.name' => gethostname()])],
    'scopeMetrics' => [[
        'scope' => ['name' => 'redislock', 'version' => phpversion('redislock')],
        'metrics' => [$sum('redislock.acquire', $calls), $sum('redislock.lost', $lost), $histogram('redislock.wait', $wait), $histogram('redislock.hold', $hold)],
    ]],
]]];
$answer = @file_get_contents(getenv('OTEL_EXPORTER_OTLP_METRICS_ENDPOINT') ?: 'http://127.0.0.1:4318/v1/metrics', context: stream_context_create(['http' => [
    'method' => 'POST',
    'header' => 'Content-Type: application/json',
    'content' => json_encode($body, JSON_THROW_ON_ERROR),
    'timeout' => 5.0,
]]));
exit($answer === false ? 1 : 0);
