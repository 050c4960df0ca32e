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

/** What a child does: a TLS session of PHP's own, and one of ours with a lease that is renewed. */
function child(TlsServer $tls, RedisLock $parent, RedisLock $lock, int $i): int
{
    $context = stream_context_create(['ssl' => ['cafile' => $tls->authority]]);
    $stream = stream_socket_client("tls://127.0.0.1:$tls->port", timeout: 5, context: $context);
    for ($try = 1; $try < 20; $try++) { // the test breaks its connections too
        try {
            $own = $lock->lock("child $i", 1, renew: true) && $lock->unlock("child $i");
            return is_resource($stream) && $own && $parent->held() === [] ? 0 : 1;
        } catch (RedisLockConnectionException) {
        }
    }
    return 2;
}

/** Waits for the child; null: it hangs. */
function outcome_of(int $pid): ?int
{
    $status = 0;
    $ended = wait_until(function () use ($pid, &$status) {
        return pcntl_waitpid($pid, $status, WNOHANG) === $pid;
    });
    if (!$ended) {
        posix_kill($pid, SIGKILL);
        pcntl_waitpid($pid, $status);
    }
    return $ended && pcntl_wifexited($status) ? pcntl_wexitstatus($status) : null;
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
$outcomes = [];
for ($i = 0; $i < $forks; $i++) {
    usleep(random_int(0, 5000));
    if ($i % 3 === 0) {
        $redis->cmd('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        usleep(random_int(0, 3000));
    }
    $pid = pcntl_fork();
    if ($pid === 0) {
        exit(child($tls, $parent, new RedisLock($tls->dsn(), $options), $i));
    }
    $outcomes[] = outcome_of($pid);
}
is_safe('no child hangs', !in_array(null, $outcomes, true), array_count_values(array_map(json_encode(...), $outcomes)));
is_so('every child did its work', array_unique($outcomes) === [0], array_count_values(array_map(json_encode(...), $outcomes)));
is_so('the parent holds all that it had', count($parent->held()) === LEASES, $parent->held());
is_so('leases were renewed', RedisLock::stats()['renewed'] > 0);
echo 'all are released: ', json_encode($parent->unlockAll()), "\n";
is_so('nothing is left', wait_until(fn () => all_keys($redis) === []), all_keys($redis));
tell_numbers(sprintf('%d forks, %d renewals, %d connections', $forks, RedisLock::stats()['renewed'], RedisLock::stats()['connections']));
?>
--EXPECT--
no child hangs: yes
every child did its work: yes
the parent holds all that it had: yes
leases were renewed: yes
all are released: true
nothing is left: yes
