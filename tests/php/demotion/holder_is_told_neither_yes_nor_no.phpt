--TEST--
The server becomes a replica under a holder: whether the lock is still ours is neither affirmed nor denied by it
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/replica.inc';

/** What each question comes to: an answer, or the code of the error. That of the holder's own release is the last. */
function ask_all(RedisLock $holder, RedisLock $other, string $token): array
{
    $questions = [
        'isLocking' => fn () => $holder->isLocking('x'),
        'expire' => fn () => $holder->expire('x', 20.0),
        'unlock by token' => fn () => $other->unlock('x', $token),
        'expire by token' => fn () => $other->expire('x', 20.0, $token),
        'attach' => fn () => $other->attach('x', $token),
        'owner' => fn () => $other->owner('x'),
        'owner of a free one' => fn () => $other->owner('free'),
        'waiters' => fn () => $other->waiters('x'),
        'lock' => fn () => $other->lock('x'),
        'lock of a free one' => fn () => $other->lock('free'),
        'forceUnlock' => fn () => $other->forceUnlock('x'),
        'forceUnlock of a free one' => fn () => $other->forceUnlock('free'),
        'what the holder believes' => fn () => $holder->remaining('x') > 15.0 ? 'READONLY' : $holder->remaining('x'),
        'unlock' => fn () => $holder->unlock('x'),
    ];
    $answers = [];
    foreach ($questions as $question => $ask) {
        try {
            $answers[$question] = $ask();
        } catch (RedisLockServerException $e) {
            $answers[$question] = $e->redisError;
        }
    }
    return $answers;
}

foreach (['with its data' => false, 'with the data of another' => true] as $how => $takesItsData) {
    $pair = new Demotable();
    $holder = new RedisLock($pair->server->dsn());
    $other = new RedisLock($pair->server->dsn());
    $holder->lock('x', null, 30.0);
    $pair->demote($takesItsData);
    $answers = ask_all($holder, $other, $holder->token('x') ?? '');
    is_so("a replica $how says READONLY to all", array_unique(array_values($answers)) === ['READONLY'], $answers);
    $pair->promote();
    // The lock is there again, or it is not: now that is true.
    var_dump($holder->unlock('x'));
    is_so('nothing was left', all_keys($pair->server->client()) === [], all_keys($pair->server->client()));
}
?>
--EXPECT--
a replica with its data says READONLY to all: yes
bool(true)
nothing was left: yes
a replica with the data of another says READONLY to all: yes
bool(false)
nothing was left: yes
