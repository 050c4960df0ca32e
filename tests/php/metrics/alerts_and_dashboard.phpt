--TEST--
docs/monitoring: the alerts fire when they should, and each query of the dashboard finds something in a real Prometheus
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
require __DIR__ . '/metrics.inc';
skip_without_prometheus();
?>
--FILE--
<?php
require __DIR__ . '/metrics.inc';

$docs = dirname(__DIR__, 3) . '/docs/monitoring';
foreach (['check rules' => 'alerts.yml', 'test rules' => 'alerts.test.yml'] as $what => $file) {
    exec("cd $docs && promtool $what $file 2>&1", $said, $status);
    is_so("promtool $what", $status === 0, $said);
}

$server = RedisServer::start();
$folder = new PrivateFolder();
$lock = fn () => Worker::run('$lock = new RedisLock($argv[1]);
    $other = new RedisLock($argv[1]);
    for ($i = 0; $i < 20; $i++) {
        $lock->lock("stock:1") && $other->lock("stock:1", 0.01) || $lock->unlock("stock:1");
    }', [$server->dsn()], options: counts_in($folder->path));
$lock();
[$page, $port] = [free_port(), free_port()];
$null = ['file', '/dev/null', 'r'];
$web = new Child([...php_command(), ...counts_in($folder->path), '-S', "127.0.0.1:$page", dirname(__DIR__, 3) . '/examples/metrics.php'], [$null, ['file', "$folder->path/web", 'w'], ['redirect', 1]]);
file_put_contents("$folder->path/prometheus.yml", "global: {scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}\nrule_files: ['$docs/alerts.yml']\n"
    . "scrape_configs:\n  - job_name: shop\n    static_configs:\n      - targets: ['127.0.0.1:$page']\n");
$prometheus = new Child(['prometheus', "--config.file=$folder->path/prometheus.yml", "--storage.tsdb.path=$folder->path/data", "--web.listen-address=127.0.0.1:$port"],
    [$null, ['file', "$folder->path/prometheus.log", 'w'], ['redirect', 1]]);
$ask = function (string $query) use ($port): array {
    $said = @file_get_contents("http://127.0.0.1:$port/api/v1/query?query=" . urlencode($query), context: stream_context_create(['http' => ['ignore_errors' => true, 'timeout' => 10.0]]));
    return (json_decode($said ?: '', true) ?? []) + ['status' => 'silent', 'data' => ['result' => []]];
};
is_so('it scrapes the page', wait_until(fn () => ($ask('redislock_acquire_total{group="stock",outcome="timed_out"}')['data']['result'][0]['value'][1] ?? '') === '20'));
$lock();
is_so('again', wait_until(fn () => ($ask('increase(redislock_acquire_total{group="stock",outcome="timed_out"}[1m])')['data']['result'][0]['value'][1] ?? '0') > 0));

$dashboard = json_decode(file_get_contents("$docs/dashboard.json"), true, flags: JSON_THROW_ON_ERROR);
$queries = 0;
foreach ($dashboard['panels'] as $panel) {
    foreach ($panel['targets'] as $target) {
        $answer = $ask(strtr($target['expr'], ['$__rate_interval' => '1m', '$group' => 'stock']));
        if ($answer['status'] !== 'success' || $answer['data']['result'] === []) {
            echo "$panel[title]: $target[expr]: ", json_encode($answer), "\n";
        }
        $queries++;
    }
}
is_so('queries', $queries >= 10);
$rules = fn () => json_decode(file_get_contents("http://127.0.0.1:$port/api/v1/rules"), true)['data']['groups'][0]['rules'];
is_so('all rules are evaluated', wait_until(fn () => array_column($rules(), 'health') === array_fill(0, 4, 'ok')), array_column($rules(), 'lastError'));
$web->end();
$prometheus->end();
?>
--EXPECT--
promtool check rules: yes
promtool test rules: yes
it scrapes the page: yes
again: yes
queries: yes
all rules are evaluated: yes
