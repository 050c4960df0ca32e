--TEST--
redislock tells who holds a lock, since when, and who waits, as far as the tokens say
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_under_valgrind('the ages that it shows grow meanwhile');
?>
--FILE--
<?php
require __DIR__ . '/cli.inc';

$server = RedisServer::start();
$redis = $server->client();
$now = $redis->cmd('TIME')[0] * 1000;
$ago = fn (int $minutes) => dechex($now - $minutes * 60000 - 30000);
$token = 'rl:' . str_repeat('0', 32);
$build = 'rl:build:' . str_repeat('0', 32);
$locks = [
    'stock:SKU0001' => "$token:r{$ago(12)}:web-3:4711 job ReserveStock",
    'stock:SKU0002' => "$token:-{$ago(5)}:web-4:99 route orders.store",
    'report' => "$token:r{$ago(4400)}:checkout-7d9f8b6c5d-x2x4z:1 artisan report:monthly",
    'class' => "$token:-{$ago(400)}:db-1:812 App\\Jobs\\Nightly",
    'page' => "$build:-{$ago(3)}:web-3:4711",
    'its own' => "$token:-{$ago(3)}:the warehouse",
    'of tomorrow' => "$token:-{$ago(-1440)}:db-1:812 nightly.php",
    'undescribed' => $token,
    'builder' => $build,
    'foreign' => 'd41d8cd98f00b204e9800998ecf8427e',
    'passing' => 'rl:baton:' . str_repeat('0', 32),
];
foreach ($locks as $name => $value) {
    $redis->cmd('SET', "lock:$name", $value, 'PX', 99_000); // what all these commands take under valgrind
}
show($server, 'ls');

$id = fn (int $digit, string $since, string $owner) => str_repeat((string) $digit, 24) . ":-$since:$owner";
$waiters = [
    $id(9, $ago(3), 'web-1:121 job ReserveStock'),
    $id(8, $ago(5), 'web-2:122'),
    str_repeat('7', 24),
    $id(1, $ago(4), 'web-1:123 cron.php'),
    'v' . substr($id(2, $ago(-1440), 'web-1:124'), 1),
    'a client of another kind',
];
foreach ($waiters as $waiter) {
    $redis->cmd('ZADD', '{lock:stock:SKU0001}:rl:wait', $now + 600_000, $waiter);
}
$redis->cmd('ZADD', '{lock:stock:SKU0001}:rl:wait', $now - 1, $id(3, $ago(3), 'of the dead'));
/** As show(), but for the time in the token and the date. */
function show_lock(string $name): Run
{
    global $server;
    ob_start(fn ($text) => preg_replace(['/(rl:(build:)?0{32}:.)[0-9a-f]{11}:/', '/\d{4}-\d\d-\d\d/'], ['$1SINCE:', 'DATE'], $text));
    try {
        return show($server, 'show', $name);
    } finally {
        ob_end_flush();
    }
}

$run = show_lock('stock:SKU0001');
is_so('since when', str_contains($run->out, "\nsince    " . gmdate('Y-m-d H:i:s', $now / 1000 - 750) . " UTC, 12 min ago\n"), $run->out);
for ($i = 10; $i < 25; $i++) {
    $redis->cmd('ZADD', '{lock:stock:SKU0001}:rl:wait', $now + 600_000, $id(0, $ago(100), "web-$i:1"));
}
$run = cli(['--server=' . $server->dsn(), 'show', 'stock:SKU0001']);
is_so('20 are shown of many', preg_match_all('/^web-\d+:/m', $run->out) === 19 && str_ends_with($run->out, "\nand 1 more\n"), $run->out);
show_lock('page');
show_lock('foreign');

echo "as JSON\n";
$json = fn (string ...$args) => cli(['--server=' . $server->dsn(), '--json', ...$args])->json();
$lock = array_column($json('ls'), null, 'name')['stock:SKU0002'];
is_so('its age', $lock['age'] >= 330 && $lock['age'] < 480, $lock['age']);
is_so('its lease', $lock['remaining'] > 0, $lock['remaining']);
is_so('since', $lock['since'] === hexdec($ago(5)) / 1000, $lock['since']);
unset($lock['age'], $lock['remaining'], $lock['since']);
var_dump($lock === [
    'name' => 'stock:SKU0002', 'state' => 'held', 'owner' => $locks['stock:SKU0002'], 'waiters' => 0, 'renewed' => false, 'kind' => 'lock',
    'description' => 'web-4:99 route orders.store', 'host' => 'web-4', 'pid' => 99, 'runs' => 'route orders.store',
]);
foreach ($json('ls') as $lock) {
    echo json_encode([$lock['name'], $lock['kind'], $lock['host'], $lock['pid'], $lock['runs'], $lock['renewed']]), "\n";
}
$waiting = $json('show', 'stock:SKU0001')['waiting'];
is_so('all who wait', count($waiting) === 21 && array_slice(array_column($waiting, 'id'), 15, 2) === [$waiters[1], $waiters[3]], $waiting);
is_so('for how long', $waiting[15]['age'] >= 330 && $waiting[15]['description'] === 'web-2:122' && $waiting[15]['pid'] === 122, $waiting[15]);
is_so('for a value', $waiting[18]['kind'] === 'value' && $waiting[18]['age'] == 0, $waiting[18]);

echo "release\n";
show($server, 'release', '--force', 'stock:SKU0001');
show($server, 'release', '--force', 'page');
show($server, 'release', '--force', 'foreign');
is_so('JSON', array_intersect_key($json('release', '--force', 'stock:SKU0002'), ['host' => 1, 'pid' => 1]) === ['host' => 'web-4', 'pid' => 99]);
?>
--EXPECT--
NAME           OWNER                                                  AGE   LEASE  RENEWED  WAITERS
builder        rl:build:0000000000000000…  N s                 0
class          db-1:812 App\Jobs\Nightly                              6 h  N s       no        0
foreign        foreign: d41d8cd98f00b204…  N s                 0
its own        the warehouse                                        3 min  N s       no        0
of tomorrow    db-1:812 nightly.php  N s  N s       no        0
page           web-3:4711 (builds a value)                          3 min  N s       no        0
passing        (being handed to a waiter)  N s                 0
report         checkout-7d9f8b6c5d-x2x4z:1 artisan report:monthly     3 d  N s      yes        0
stock:SKU0001  web-3:4711 job ReserveStock                         12 min  N s      yes        0
stock:SKU0002  web-4:99 route orders.store                          5 min  N s       no        0
undescribed    rl:0000000000000000000000…  N s                 0
=> 0
name     stock:SKU0001
key      lock:stock:SKU0001
owner    web-3:4711 job ReserveStock
token    rl:00000000000000000000000000000000:rSINCE:web-3:4711 job ReserveStock
since    DATE HH:MM:SS UTC, 12 min ago
lease  N s, renewed
waiters  6

WAITING                              FOR
web-2:122                          5 min
web-1:123 cron.php                 4 min
web-1:121 job ReserveStock         3 min
web-1:124 (for the value)  N s
777777777777777777777777
foreign: a client of another kind
=> 0
since when: yes
20 are shown of many: yes
name     page
key      lock:page
owner    web-3:4711 (builds a value)
token    rl:build:00000000000000000000000000000000:-SINCE:web-3:4711
since    DATE HH:MM:SS UTC, 3 min ago
lease  N s, not renewed
waiters  0
=> 0
name     foreign
key      lock:foreign
owner    foreign: d41d8cd98f00b204e9800998ecf8427e
lease  N s
waiters  0
=> 0
as JSON
its age: yes
its lease: yes
since: yes
bool(true)
["builder","build",null,null,null,null]
["class","lock","db-1",812,"App\\Jobs\\Nightly",false]
["foreign","foreign",null,null,null,null]
["its own","lock",null,null,null,false]
["of tomorrow","lock","db-1",812,"nightly.php",false]
["page","build","web-3",4711,null,false]
["passing",null,null,null,null,null]
["report","lock","checkout-7d9f8b6c5d-x2x4z",1,"artisan report:monthly",true]
["stock:SKU0001","lock","web-3",4711,"job ReserveStock",true]
["stock:SKU0002","lock","web-4",99,"route orders.store",false]
["undescribed","lock",null,null,null,null]
all who wait: yes
for how long: yes
for a value: yes
release
stock:SKU0001 was taken from web-3:4711 job ReserveStock after 12 min and handed to the first of 21 waiting
=> 0
page was taken from web-3:4711 (builds a value) after 3 min
=> 0
foreign was taken from foreign: d41d8cd98f00b204e9800998ecf8427e
=> 0
JSON: yes
