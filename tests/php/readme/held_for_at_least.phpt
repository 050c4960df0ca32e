--TEST--
The recipe in docs/choosing.md that holds a lock for at least some time does so, also when the work fails, and no longer than the work
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/blocks.inc';

$server = RedisServer::start();
$redis = $server->client();

/** Runs the recipe with this work, and says how long the lock stays. */
function hold(string $label, string $work, string $least = '30'): void
{
    global $server, $redis;
    foreach (['docs/choosing.md' => '// the work', 'docs/zh-CN/choosing.md' => '// 任务'] as $page => $place) {
        $recipes = array_values(array_filter(php_blocks($page), fn ($block) => str_contains($block, "'cron:mails'")));
        $code = strtr($recipes[0], [$place => $work, '$rest = 30' => "\$rest = $least"]);
        Worker::run("ini_set('redislock.servers', \$argv[1]); try { $code } catch (DomainException) {}", [$server->dsn()]);
        $left = $redis->cmd('PTTL', 'lock:cron:mails');
        echo "$label: ", match (true) {
            $left === -2 => 'free',
            $left > 0 && $left <= 30_000 => 'locked, to be free in time',
            default => $left,
        }, "\n";
        $redis->cmd('FLUSHALL');
    }
}

hold('done at once', '');
hold('failed at once', 'throw new DomainException();');
hold('took longer', 'usleep(50_000);', '0.05');
hold('lost, and taken by somebody else', '(new RedisLock())->forceUnlock("cron:mails"); (new RedisLock(options: ["auto_release" => false]))->lock("cron:mails", expire: 20);');
?>
--EXPECT--
done at once: locked, to be free in time
done at once: locked, to be free in time
failed at once: locked, to be free in time
failed at once: locked, to be free in time
took longer: free
took longer: free
lost, and taken by somebody else: locked, to be free in time
lost, and taken by somebody else: locked, to be free in time
