--TEST--
A function as `listener` hears of locks that are acquired, waited for, released and lost
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/check.inc';

$server = RedisServer::start();
$heard = [];
$listener = function (string $event, string $name, array $context) use (&$heard) {
    $heard[] = [$event, $name, $context];
};
/** Says what was heard since the last time: events, names, and what has no time in it. */
function heard(): void
{
    global $heard;
    foreach ($heard as [$event, $name, $context]) {
        is_so('seconds', $context['seconds'] === null || ($context['seconds'] >= 0 && $context['seconds'] < slow(2)), $context);
        unset($context['seconds'], $context['server'], $context['owner']);
        echo "  $event $name ", json_encode($context), "\n";
    }
    $heard = [];
}
$lock = new RedisLock($server->dsn(), ['listener' => $listener, 'owner' => 'me']);
$lock->lock('a');
is_so('owner and server', $heard[0][2]['owner'] === 'me' && $heard[0][2]['server'] === $server->address(), $heard);
heard();
echo "in vain\n";
$other = new RedisLock($server->dsn(), ['listener' => $listener]);
var_dump($other->lock('a'));
heard();
echo "released\n";
$lock->unlock('a');
heard();
echo "many\n";
$lock->lockAll(['b', 'c']);
$lock->unlockAll();
heard();
echo "a section\n";
$lock->synchronized('d', function () {
    echo "  it runs\n";
    heard();
});
heard();
echo "lost: by expire(), isLocking(), unlock(), each told once\n";
foreach (['expire', 'isLocking', 'unlock'] as $method) {
    $lock->lock('e');
    $server->client()->cmd('DEL', 'lock:e');
    $heard = [];
    var_dump($lock->$method('e'));
    $lock->unlock('e');
    heard();
}
echo "attached, detached, forced\n";
$token = (fn () => $lock->lock('f') ? $lock->detach('f') : null)();
$heard = [];
var_dump($other->attach('f', $token));
heard();
$other->forceUnlock('f');
heard();
echo "not its own\n";
var_dump($other->unlock('f', 'another token'));
heard();
echo "a value\n";
$lock->remember('g', fn () => 1, 60);
$lock->remember('g', fn () => 1, 60);
heard();
echo "gone with the object\n";
$lock->lock('h');
$heard = [];
unset($lock);
heard();
?>
--EXPECT--
owner and server: yes
seconds: yes
  acquired a []
in vain
bool(false)
seconds: yes
  waited a {"acquired":false}
released
seconds: yes
  released a []
many
seconds: yes
  acquired b []
seconds: yes
  acquired c []
seconds: yes
  released b []
seconds: yes
  released c []
a section
  it runs
seconds: yes
  acquired d []
seconds: yes
  released d []
lost: by expire(), isLocking(), unlock(), each told once
bool(false)
seconds: yes
  lost e []
bool(false)
seconds: yes
  lost e []
bool(false)
seconds: yes
  lost e []
attached, detached, forced
bool(true)
seconds: yes
  acquired f []
seconds: yes
  released f []
not its own
bool(false)
a value
seconds: yes
  acquired g []
seconds: yes
  released g []
gone with the object
seconds: yes
  released h []
