--TEST--
A long section with a lease of 2 s stays locked by MONITOR: Redis stands still for 1.2 s, connections are killed, scripts are forgotten, while PHP computes, sleeps or is in a query
--DESCRIPTION--
Takes long.
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pdo_sqlite');
?>
--FILE--
<?php
/*
 * REDISLOCK_TEST_SECONDS=60 for a long run.
 */
require __DIR__ . '/renew.inc';

/*
 * Each work takes longer than the lease, and is one call of C code or a loop that calls nothing. The query waits in SQLite
 * for the end of another transaction. The holder works until it is told that it is enough.
 */
const HOLDER = <<<'PHP'
    [, $dsn, $lease, $seconds, $database] = $argv;
    $other = new PDO("sqlite:$database");
    $other->exec('BEGIN IMMEDIATE');
    $db = new PDO("sqlite:$database", options: [PDO::ATTR_TIMEOUT => (int) $seconds]);
    $works = [
        'loop' => function () use ($seconds) {
            for ($until = hrtime(true) + $seconds * 1e9; hrtime(true) < $until;);
        },
        'sleep' => fn () => sleep((int) $seconds),
        'query' => function () use ($db) {
            try {
                $db->exec('BEGIN IMMEDIATE');
            } catch (PDOException $e) {
                str_contains($e->getMessage(), 'locked') || throw $e;
            }
        },
    ];
    $is_enough = function () {
        $read = [STDIN];
        $none = null;
        return stream_select($read, $none, $none, 0) > 0;
    };

    $lock = new RedisLock($dsn);
    $lock->owner('x');
    echo "connected\n";
    fgets(STDIN);
    echo $lock->lock('x', expire: (float) $lease, renew: true) ? $lock->token('x') : 'NOT HAD', "\n";
    $took = [];
    for ($i = 0; !$is_enough(); $i++) {
        $work = array_keys($works)[$i % count($works)];
        $began = hrtime(true);
        $works[$work]();
        $took[$work] = min($took[$work] ?? INF, (hrtime(true) - $began) / 1e9);
    }
    $held = $lock->remaining('x') > 0 && !$lock->lost('x');
    echo json_encode(['held' => $held, 'released' => $lock->unlock('x'), 'works' => $i, 'took' => $took]), "\n";
    PHP;

/** What the server does with the lock's key, by MONITOR, which shows the commands inside of scripts too. */
final class Monitor
{
    /** @var array<array{float, string}> the server's time in seconds, and a command that may change the key */
    public array $writes = [];
    private int $marks = 0;

    public function __construct(private RawClient $redis, private RawClient $monitor)
    {
        $monitor->cmd('MONITOR');
    }

    /** Reads what the server has done up to now; returns how many writes were new. */
    public function read(): int
    {
        $before = count($this->writes);
        $mark = 'mark ' . ++$this->marks;
        $this->redis->cmd('ECHO', $mark);
        while (!str_ends_with($line = $this->monitor->reply(), "\"ECHO\" \"$mark\"")) {
            // What a script does comes behind it.
            if (str_contains($line, '"lock:x"') && preg_match('/^([\d.]+) \[.*?\] ("(?!(?:EVAL|EVALSHA|GET|PTTL)")\w+" .*)$/i', $line, $found)) {
                $this->writes[] = [(float) $found[1], $found[2]];
            }
        }
        return count($this->writes) - $before;
    }
}

/** What befalls the server, and the connection of the thread that renews leases. */
final class Faults
{
    private const EVERY = ['kill' => 1.0, 'flush' => 1.7, 'stall' => 3.0]; // s

    /** @var array<string, int> how often each came */
    public array $count = ['kill' => 0, 'flush' => 0, 'stall' => 0];
    /** @var array<string, float> when each comes next */
    private array $due;
    /** @var string[] the ids of all other connections: CLIENT KILL TYPE would strike the monitor too */
    private array $spared;

    public function __construct(private RedisServer $server, private RawClient $redis, private Monitor $monitor)
    {
        $this->spared = $this->connections();
        $this->due = array_map(fn ($seconds) => microtime(true) + $seconds, self::EVERY);
    }

    public function strike(): void
    {
        foreach (self::EVERY as $fault => $seconds) {
            if (microtime(true) > $this->due[$fault]) {
                $this->count[$fault] += $this->$fault();
                $this->due[$fault] = microtime(true) + $seconds;
            }
        }
    }

    private function kill(): int
    {
        return array_sum(array_map(fn ($id) => $this->redis->cmd('CLIENT', 'KILL', 'ID', $id), array_diff($this->connections(), $this->spared)));
    }

    private function flush(): int
    {
        $this->redis->cmd('SCRIPT', 'FLUSH');
        return 1;
    }

    /**
     * SIGSTOP, since time goes on for the leases, and requests pile up: CLIENT PAUSE lets no key expire, and DEBUG SLEEP is
     * mostly forbidden. A renewal comes after a third of the lease, so a stall that begins just before it leaves 0.13 s of
     * 2 s. On a busy machine that is not enough; here at least 0.35 s are left.
     */
    private function stall(): int
    {
        wait_until(fn () => $this->monitor->read() > 0, lease(2));
        usleep(150_000 * ($this->count['stall'] % 4));
        $this->server->pause();
        usleep(1_200_000);
        $this->server->resume();
        return 1;
    }

    /** @return string[] */
    private function connections(): array
    {
        preg_match_all('/^id=(\d+)/m', $this->redis->cmd('CLIENT', 'LIST'), $found);
        return $found[1];
    }
}

$lease = lease(2);
$seconds = (float) (getenv('REDISLOCK_TEST_SECONDS') ?: lease(20));
$server = RedisServer::start();
$redis = $server->client();
$monitor = new Monitor($redis, $server->client());
$rival = new RedisLock($server->dsn());
$rival->owner('x');
$holder = Worker::start(HOLDER, [$server->dsn(), $lease, 1.5 * $lease, $server->folder() . '/database']);
echo $holder->readLine(), "\n";
$faults = new Faults($server, $redis, $monitor);
$holder->tell('begin');
$token = $holder->readLine();

$values = [];
$left = INF;
$rounds = $taken = 0;
for ($until = microtime(true) + $seconds; microtime(true) < $until; usleep(5000), $rounds++) {
    $faults->strike();
    $monitor->read();
    $values[$redis->cmd('GET', 'lock:x')] = true;
    $left = min($left, $redis->cmd('PTTL', 'lock:x'));
    $taken += $rival->lock('x');
}
$holder->tell('enough');
$end = json_decode($holder->readLine(), true);
$monitor->read();

echo "the holder\n";
is_so('it held the lock to the end', $end['held']);
is_so('it released the lock', $end['released']);
is_so('it worked in each way', count($end['took']) === 3, $end['took']);
is_so('each time for longer than the lease', min($end['took']) > $lease, $end['took']);

echo "samples\n";
is_so('always its token', array_keys($values) === [$token], $values);
is_so('never without a lease', $left > 0, $left);
is_so('never taken by the rival', $taken === 0, $taken);
is_safe('never had by two', $taken === 0 || !$end['released'], $taken);

echo "MONITOR\n";
$writes = array_values(array_filter($monitor->writes, fn ($write) => !str_contains($write[1], '"NX"') || str_contains($write[1], $token)));
[$times, $commands] = [array_column($writes, 0), array_column($writes, 1)];
$ms = (int) ($lease * 1000);
is_so('first it was taken', str_starts_with($commands[0], "\"SET\" \"lock:x\" \"$token\"") && str_contains($commands[0], "\"PX\" \"$ms\""), $commands[0]);
is_so('then nothing was done but to renew the lease', array_unique(array_slice($commands, 1, -1)) === ["\"PEXPIRE\" \"lock:x\" \"$ms\""], array_count_values($commands));
is_so('until it was deleted', str_starts_with(end($commands), '"DEL" "lock:x"'), end($commands));
$longest = max(array_map(fn ($before, $time) => $time - $before, array_slice($times, 0, -1), array_slice($times, 1)));
is_so('each came before the lease was over', $longest < $lease, $longest);

echo "faults\n";
foreach ($faults->count as $fault => $count) {
    is_so($fault, $count > $seconds / 12, $count);
}
echo 'keys left: ', count(all_keys($redis)), "\n";
tell_numbers(sprintf(
    'a section of %d s with a lease of %d s: %d renewals, at most %.2f s apart; %d stalls, %d connections killed, %d times no scripts; %d works; %d tries of a rival, %d locks',
    $seconds,
    $lease,
    count($writes) - 2,
    $longest,
    $faults->count['stall'],
    $faults->count['kill'],
    $faults->count['flush'],
    $end['works'],
    $rounds,
    $taken,
));
?>
--EXPECT--
connected
the holder
it held the lock to the end: yes
it released the lock: yes
it worked in each way: yes
each time for longer than the lease: yes
samples
always its token: yes
never without a lease: yes
never taken by the rival: yes
never had by two: yes
MONITOR
first it was taken: yes
then nothing was done but to renew the lease: yes
until it was deleted: yes
each came before the lease was over: yes
faults
kill: yes
flush: yes
stall: yes
keys left: 0
