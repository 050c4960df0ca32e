--TEST--
Forks at any moment while leases are renewed by TLS and connections break: no child hangs in TLS of its own, no lease is lost, none stays
--EXTENSIONS--
redislock
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
skip_without('pcntl', 'posix');
?>
--FILE--
<?php
/*
 * REDISLOCK_TEST_FORKS=10000 for a long run.
 */
require __DIR__ . '/tls.inc';

const LEASES = 20;
const CHILDREN = 6; // at once

/**
 * What a child does: a TLS session of PHP's own, and one of ours with a lease that is renewed. The test breaks its connections
 * too. Then it tries again with another lock, since the one before may still be its own.
 */
function child(TlsServer $tls, RedisLock $parent, RedisLock $lock, int $i): int
{
    $context = stream_context_create(['ssl' => ['cafile' => $tls->authority]]);
    for ($try = 1; $try < 100; $try++) {
        try {
            $stream = @stream_socket_client("tls://127.0.0.1:$tls->port", timeout: 5, context: $context);
            if ($stream && $lock->lock("child $i, $try", 1, renew: true) && $lock->unlock("child $i, $try")) {
                return $parent->held() === [] ? 0 : 1;
            }
        } catch (RedisLockConnectionException) {
        }
    }
    return 2;
}

/** Ends a child: one in four as PHP ends, which takes longer than all that the child has done, and the others at once. */
function end_child(int $status, int $i): never
{
    if ($status === 0 && $i % 4 > 0) {
        posix_kill(getmypid(), SIGKILL);
    }
    exit($status);
}

/** The children that run, and how the others ended. */
final class Children
{
    /** @var array<string, int> how many had a status, died of a signal, or hung */
    public array $ended = [];
    /** @var array<int, float> pids, and since when they run */
    private array $running = [];
    /** @var array<int, array{int, float}> by pid: how often a child had gone to sleep, and since when that is so */
    private array $slept = [];

    public function add(int $pid): void
    {
        $this->running[$pid] = microtime(true);
    }

    /**
     * Has it stood in one place for longer than any of its calls may wait? Time in which it was ready to run, and others ran, does
     * not count: a busy machine makes it slow, but does not make it hang.
     */
    private function hangs(int $pid): bool
    {
        preg_match('/^voluntary_ctxt_switches:\s+(\d+)/m', (string) @file_get_contents("/proc/$pid/status"), $found);
        $could_run = microtime(true) - (float) (explode(' ', (string) @file_get_contents("/proc/$pid/schedstat"))[1] ?? 0) / 1e9;
        $times = (int) ($found[1] ?? 0);
        if (($this->slept[$pid][0] ?? null) !== $times) {
            $this->slept[$pid] = [$times, $could_run];
        }
        return $could_run > $this->slept[$pid][1] + slow(15);
    }

    /** Waits until so many run at most. One that hangs is killed, and one that does not end. */
    public function wait(int $most): void
    {
        while (count($this->running) > $most) {
            usleep(500);
            foreach ($this->running as $pid => $since) {
                $age = microtime(true) - $since;
                $ended = $age > 5 && $this->hangs($pid) ? 'hung' : ($age > slow(120) ? 'did not end' : null);
                if ($ended !== null) {
                    posix_kill($pid, SIGKILL);
                }
                if (pcntl_waitpid($pid, $status, $ended !== null ? 0 : WNOHANG) === $pid) {
                    $how = $ended ?? (pcntl_wifexited($status) ? 'status ' . pcntl_wexitstatus($status) : 'signal ' . pcntl_wtermsig($status));
                    $this->ended[$how] = 1 + ($this->ended[$how] ?? 0);
                    unset($this->running[$pid]);
                }
            }
        }
    }
}

$tls = TlsServer::start();
$redis = $tls->server->client();
$options = ['expire' => 2.0, 'tls' => ['cafile' => $tls->authority]];
$parent = new RedisLock($tls->dsn(), $options);
$names = array_map(fn ($i) => "parent $i", range(1, LEASES));
foreach ($names as $i => $name) { // at different times, so that the thread has always something to do
    $parent->lock($name, expire: 1.0 + $i / LEASES, renew: true);
}
$forks = (int) (getenv('REDISLOCK_TEST_FORKS') ?: (under_valgrind() ? 20 : 100));
$children = new Children();
$began = microtime(true);
for ($i = 0; $i < $forks; $i++) {
    usleep(random_int(0, 5000));
    if ($i % 12 === 0) {
        $redis->cmd('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        usleep(random_int(0, 3000));
    }
    $pid = pcntl_fork();
    if ($pid === 0) {
        end_child(child($tls, $parent, new RedisLock($tls->dsn(), $options), $i), $i);
    }
    $children->add($pid);
    $children->wait(CHILDREN - 1);
}
$children->wait(0);
is_safe('no child hangs', !isset($children->ended['hung']), $children->ended);
is_so('every child did its work', array_diff_key($children->ended, ['status 0' => 1, 'signal 9' => 1]) === [], $children->ended);
is_so('the parent holds all that it had', count($parent->held()) === LEASES, $parent->held());
is_so('leases were renewed', RedisLock::stats()['renewed'] > 0);
echo 'all are released: ', json_encode($parent->unlockAll()), "\n";
is_so('nothing is left', wait_until(fn () => all_keys($redis) === []), all_keys($redis));
$stats = RedisLock::stats();
tell_numbers(sprintf('%d forks, %d renewals, %d connections, %.0f s', $forks, $stats['renewed'], $stats['connections'], microtime(true) - $began));
?>
--EXPECT--
no child hangs: yes
every child did its work: yes
the parent holds all that it had: yes
leases were renewed: yes
all are released: true
nothing is left: yes
