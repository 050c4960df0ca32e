--TEST--
The PHP code of the README, of docs/ and of the examples' READMEs runs, and does what it says
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pdo_sqlite');
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/blocks.inc';

/** What the code around a block would have brought. */
const STAGE = <<<'PHP'
    $db = new PDO('sqlite::memory:', options: [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    $db->exec('CREATE TABLE products (sku TEXT, stock INTEGER, fence INTEGER)');
    $db->exec('CREATE TABLE orders (sku TEXT, buyer TEXT)');
    $db->exec("INSERT INTO products VALUES ('SKU0001', 2, 0)");
    $lock = new RedisLock();
    $logger = fn () => null;
    [$formToken, $cart, $user, $id, $orderId] = ['f0rm', 7, 3, 42, 1001];
    // What another process has taken and handed over.
    $before = new RedisLock(options: ['auto_release' => false]);
    $token = 'rl:' . str_repeat('1', 32);
    if (getenv('HANDED_OVER')) {
        $before->lock(getenv('HANDED_OVER'), token: $token);
    }
    $dispatched = [];
    function dispatch(array $job): void { $GLOBALS['dispatched'][] = $job; $GLOBALS['token'] = $job['token']; }
    $queue = new RedisQueue();
    $unpaidOrdersOlderThan30Minutes = [$orderId];
    $order = (object) ['lines' => [(object) ['sku' => 'SKU0001'], (object) ['sku' => 'SKU0002']]];
    PHP;

/** What no test has, or has the time for. */
const INSTEAD = [
    'redis://127.0.0.1:6379' => 'env:REDISLOCK_SERVER',
    "'redis://redis-1:6379', 'redis://redis-2:6379', 'redis://redis-3:6379'" => "'env:REDISLOCK_SERVERS'",
    'redis-sentinel://sentinel-1,sentinel-2,sentinel-3/mymaster' => 'env:REDISLOCK_SENTINELS',
    'redis-cluster://node-1,node-2,node-3' => 'env:REDISLOCK_CLUSTER',
    'afterInterval: 30 * 60' => 'afterInterval: 0',
    'timeout: INF' => 'timeout: 0.01', // of a worker's loop
    "'examples/cron/once.php'" => "getenv('EXAMPLES') . '/cron/once.php'",
];

/** Needs something else: where it is run, or why it cannot be. */
const ELSEWHERE = [
    '// app/Providers' => 'Laravel: compiled here, run by the tests of bridges/laravel',
    'pcntl_signal(SIGTERM' => 'tests/php/readme/worker_ends_by_sigterm.phpt',
    '// app/Http/Controllers' => 'Laravel: compiled here, run by the tests of bridges/laravel',
];

/** What must hold behind a block that has these words. */
const BEHIND = [
    "fn () => 'what the section returns', timeout" => '$answer === "what the section returns"',
    'function buy(' => '[buy($db, $lock, "SKU0001", "a"), buy($db, $lock, "SKU0001", "b"), buy($db, $lock, "SKU0001", "c")] === ["sold", "sold", "sold out"]',
    '// wrong: before the lock' => '!$db->inTransaction()',
    'submit:$formToken' => '$guard->held() !== []',
    '$guard->detach("import:$id")' => '$dispatched[0]["id"] === 42 && str_starts_with($dispatched[0]["token"], "rl:")',
    'stock - 1, fence = ?' => '$db->query("SELECT stock FROM products")->fetchColumn() == 1',
    'replace: false' => '$queue->top("unpaid")["id"] === 1001',
    'once($guard' => '$guard->remaining("cron:report:" . date("Y-m-d")) > 80000',
    "'account:7'" => '$written === true && $db->query("SELECT balance FROM accounts")->fetchColumn() == 90',
    '$queue->ack(' => '$queue->top("unpaid") === false',
    'max_waiters' => 'http_response_code() !== 503 && $lock->held() !== []',
    'RedisLockLostException $e) {' => 'true',
    '$guard->detach("export:$id")' => '$guard->held() === [] && $guard->owner("export:42") === $dispatched[0]["token"]',
    'foreach (range(1, 3)' => '$lock->owner("report") === null',
    "'prefix' => \$prefix" => '!$lock->lock("SKU0001") && $elsewhere->unlock("SKU0001")',
    "'cron:mails'" => '$lock->held() === [] && $lock->owner("cron:mails") !== null',
    'redis-sentinel://' => '$sold === "sold"',
    'redis-cluster://' => '$sold === "sold"',
    'myapp_database_myapp_cache_' => '$lock->held() === []',
];

$server = RedisServer::start();
$others = [RedisServer::start(), RedisServer::start()];
$set = SentinelSet::start(sentinelPassword: 's3ntinel');
$cluster = Cluster::start(replicas: 0);
$ran = 0;
foreach (pages() as $page) {
    foreach (php_blocks($page) as $block) {
        $words = fn (array $table) => array_filter($table, fn ($words) => str_contains($block, $words), ARRAY_FILTER_USE_KEY);
        if ($words(ELSEWHERE)) {
            continue;
        }
        $server->client()->cmd('FLUSHALL');
        $code = strtr($block, INSTEAD);
        $holds = $words(BEHIND) ? implode(' && ', $words(BEHIND)) : 'true';
        preg_match('/\A(?!.*detach).*attach\("(\w+):\$id", \$token\)/s', $block, $handed);
        $worker = Worker::start(
            STAGE . "\n$code\nif (!($holds)) { echo 'it does not hold: ', " . var_export($holds, true) . '; }',
            [],
            [
                'REDISLOCK_SERVER' => $server->dsn(),
                'REDISLOCK_SERVERS' => implode(' ', array_map(fn ($one) => $one->dsn(), [$server, ...$others])),
                'REDISLOCK_SENTINELS' => $set->dsn(),
                'REDISLOCK_CLUSTER' => $cluster->dsn(),
                'SENTINEL_PASSWORD' => 's3ntinel',
                'HANDED_OVER' => $handed ? "$handed[1]:42" : '',
                'EXAMPLES' => dirname(__DIR__, 3) . '/examples',
            ],
            ['-d', 'redislock.servers=env:REDISLOCK_SERVER'],
        );
        $output = $worker->output();
        $status = $worker->wait();
        $ran++;
        if ($status !== 0 || preg_match('/\b(Warning|Notice|Deprecated|Error|error|Exception|does not hold)\b/', $output)) {
            echo "$page:\n$block\n--> $status, $output\n";
        }
    }
}
echo $ran >= 25 ? 'many' : "ONLY $ran", " blocks ran\n";

$all = implode('', array_map(readme(...), pages()));
foreach ([...array_keys(ELSEWHERE), ...array_keys(BEHIND)] as $words) {
    if (!str_contains($all, $words)) {
        echo "no block has: $words\n";
    }
}
?>
--EXPECT--
many blocks ran
