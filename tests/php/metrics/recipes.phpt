--TEST--
examples/statsd.php and opentelemetry.php send the numbers by their protocols
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';

$examples = dirname(__DIR__, 3) . '/examples';
$server = RedisServer::start();
$folder = new PrivateFolder();
$lock = fn () => Worker::run('$lock = new RedisLock($argv[1]);
    for ($i = 0; $i < 5; $i++) {
        $lock->lock("stock:$i") && $lock->unlock("stock:$i");
    }', [$server->dsn()], options: counts_in($folder->path));
$lock();
$files = [['file', '/dev/null', 'r'], ['file', "$folder->path/out", 'w'], ['redirect', 1]];

// StatsD: a line in a datagram each.
$statsd = stream_socket_server('udp://127.0.0.1:0', $errno, $error, STREAM_SERVER_BIND);
$sender = new Child([...php_command(), ...counts_in($folder->path), "$examples/statsd.php"], $files, ['STATSD' => 'udp://' . stream_socket_get_name($statsd, false), 'INTERVAL' => '0.05']);
usleep(300000); // what was counted before it began is not sent
$sums = [];
$until = microtime(true) + 30;
do {
    $lock();
    stream_set_blocking($statsd, false);
    for ($read = 0; $read < 20; $read++, usleep(10000)) {
        while (($line = (string) stream_socket_recvfrom($statsd, 1500)) !== '') {
            if (!preg_match('/^redislock\.(stock\.\w+):(\d+(?:\.\d+)?)\|(c|ms)$/D', $line, $found)) {
                echo "no StatsD: $line\n";
                continue;
            }
            $sums[$found[1] . ' ' . $found[3]] = ($sums[$found[1] . ' ' . $found[3]] ?? 0) + $found[2];
        }
    }
} while (count($sums) < 4 && microtime(true) < $until);
ksort($sums);
echo implode(', ', array_keys($sums)), "\n";
is_so('all of it is counted once', $sums['stock.acquired c'] % 5 === 0 && $sums['stock.acquired c'] === $sums['stock.released c'], $sums);
$sender->end();

// OpenTelemetry: OTLP over HTTP, as JSON.
$collector = stream_socket_server('tcp://127.0.0.1:0');
$sender = new Child([...php_command(), ...counts_in($folder->path), "$examples/opentelemetry.php"], $files, ['OTEL_EXPORTER_OTLP_METRICS_ENDPOINT' => 'http://' . stream_socket_get_name($collector, false) . '/v1/metrics']);
$peer = stream_socket_accept($collector, 30);
for ($head = ''; ($line = fgets($peer)) !== "\r\n" && $line !== false; $head .= $line);
preg_match('/^Content-Length: (\d+)/im', $head, $found);
for ($body = ''; strlen($body) < (int) $found[1]; $body .= fread($peer, (int) $found[1] - strlen($body)));
fwrite($peer, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}");
fclose($peer);
is_so('taken', $sender->wait(30) && $sender->exitCode() === 0, file_get_contents("$folder->path/out"));
echo strtok($head, "\r\n"), "\n";
$metrics = array_column(json_decode($body, true, flags: JSON_THROW_ON_ERROR)['resourceMetrics'][0]['scopeMetrics'][0]['metrics'], null, 'name');
echo implode(' ', array_keys($metrics)), "\n";
$known = metrics_in($folder->path)['machine']['groups']['stock'];
foreach ($metrics['redislock.hold']['histogram']['dataPoints'] as $point) {
    if ($point['attributes'][0]['value']['stringValue'] === 'stock') {
        is_so('holds', $point['count'] === (string) $known['released'] && array_sum($point['bucketCounts']) === $known['released'] && count($point['bucketCounts']) === count($point['explicitBounds']) + 1, $point);
    }
}
foreach ($metrics['redislock.acquire']['sum']['dataPoints'] as $point) {
    $labels = array_column($point['attributes'], 'value', 'key');
    if ($labels['group']['stringValue'] === 'stock' && $labels['outcome']['stringValue'] === 'acquired') {
        is_so('calls', $point['asInt'] === (string) $known['acquired'], $point);
    }
}
?>
--EXPECT--
stock.acquired c, stock.hold ms, stock.released c, stock.wait ms
all of it is counted once: yes
taken: yes
POST /v1/metrics HTTP/1.1
redislock.acquire redislock.lost redislock.wait redislock.hold
holds: yes
calls: yes
