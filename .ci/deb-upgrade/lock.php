<?php
// One request: a section that no other may be in, even while the workers become those of another version.
touch("/srv/begun/$_GET[id]");
$name = 'SKU' . $_GET['id'] % 2;
$lock = new RedisLock('unix:///srv/redis.sock');
$held = $lock->lock($name, 20.0);
$section = fopen("/tmp/$name", 'c');
$alone = flock($section, LOCK_EX | LOCK_NB); // ends with its process, as a section does
usleep(random_int(1000, 50000));
fclose($section);
$released = $held && $lock->unlock($name);
echo hrtime(true), ' ', match (false) {
    $held => 'no lock',
    $alone => 'an overlap',
    $released => 'a lock that was lost',
    default => phpversion('redislock') . ' ' . ini_get('redislock.prefix'),
};
