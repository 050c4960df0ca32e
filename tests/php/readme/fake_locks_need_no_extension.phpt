--TEST--
The fake of docs/choosing.md runs without the extension, and does what the real one beside it does
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/server.inc';
require __DIR__ . '/../inc/process.inc';
require __DIR__ . '/../inc/check.inc';
require __DIR__ . '/blocks.inc';

/** What code under test does with locks. */
const USE_OF_LOCKS = <<<'PHP'
    echo json_encode([
        $free->under('SKU0001', fn () => 'sold'),
        (function () use ($free) { try { $free->under('SKU0001', fn () => throw new DomainException('fails')); } catch (DomainException $e) { return $e->getMessage(); } })(),
        $free->under('SKU0001', fn () => 'sold again'),
        (function () use ($held) { try { return $held->under('SKU0002', fn () => 'sold'); } catch (Busy $e) { return 'busy: ' . $e->getMessage(); } })(),
    ]), "\n";
    PHP;

/** @return string[] the PHP of this test, without the options that load the extension */
function php_without_it(): array
{
    $command = php_command();
    foreach ($command as $i => $word) {
        if ($word === '-d' && preg_match('~^extension="?.*redislock(\.so|\.dll)?"?$~', $command[$i + 1])) {
            unset($command[$i], $command[$i + 1]);
        }
    }
    return array_values($command);
}

$server = RedisServer::start();
foreach (['docs/choosing.md', 'docs/zh-CN/choosing.md'] as $page) {
    $shown = implode(array_filter(php_blocks($page), fn ($block) => str_contains($block, 'FakeLocks')));
    $fake = 'echo extension_loaded("redislock") ? "with" : "without", " the extension: ";
        $free = new FakeLocks(); $held = new FakeLocks(["SKU0002"]);' . USE_OF_LOCKS;
    echo run_to_end([...php_without_it(), '-r', $shown . $fake], together: true)->out;
    echo Worker::run(str_replace('timeout: 3', 'timeout: 0.05', $shown) . '$elsewhere = new RedisLock($argv[1]); $elsewhere->lock("SKU0002", expire: 60);
        echo "with a server: "; $free = $held = new RedisLocks(new RedisLock($argv[1]));' . USE_OF_LOCKS, [$server->dsn()]);
}
?>
--EXPECT--
without the extension: ["sold","fails","sold again","busy: SKU0002"]
with a server: ["sold","fails","sold again","busy: SKU0002"]
without the extension: ["sold","fails","sold again","busy: SKU0002"]
with a server: ["sold","fails","sold again","busy: SKU0002"]
