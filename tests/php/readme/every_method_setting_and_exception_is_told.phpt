--TEST--
The documents tell every method, setting and exception, and no method or setting that is not there
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/blocks.inc';

$extension = new ReflectionExtension('redislock');
$settings = array_keys($extension->getINIEntries());
$methods_of = function (string $class): array {
    $methods = array_map(fn ($method) => $method->getName(), (new ReflectionClass($class))->getMethods());
    sort($methods);
    return $methods;
};
$exceptions = array_filter($extension->getClassNames(), fn ($class) => str_ends_with($class, 'Exception'));
sort($settings);

/** The page of each class. */
const TOLD = [
    'English' => ['RedisLock' => 'docs/api.md', 'RedisQueue' => 'docs/queue.md'],
    'Chinese' => ['RedisLock' => 'docs/zh-CN/api.md', 'RedisQueue' => 'docs/zh-CN/queue.md'],
];

foreach (TOLD as $language => $classes) {
    echo "$language: methods";
    foreach ($classes as $class => $page) {
        preg_match_all('/^\| `(?:RedisLock::)?(\w+)\(/m', readme($page), $found);
        $told = $found[1];
        sort($told);
        $methods = $methods_of($class);
        echo " of $class ", $told === $methods ? 'all' : json_encode([array_diff($methods, $told), array_diff($told, $methods)]);
    }

    $text = implode(array_map(readme(...), $classes));
    preg_match_all('/`(redislock\.\w+)`/', $text, $found);
    $told = array_values(array_unique($found[1]));
    sort($told);
    echo ', settings ', $told === $settings ? 'all' : json_encode([array_diff($settings, $told), array_diff($told, $settings)]);

    $missing = array_filter($exceptions, fn ($class) => !str_contains($text, "| `$class` |"));
    echo ', exceptions ', $missing ? 'WITHOUT ' . implode(' ', $missing) : 'all', "\n";
}
?>
--EXPECT--
English: methods of RedisLock all of RedisQueue all, settings all, exceptions all
Chinese: methods of RedisLock all of RedisQueue all, settings all, exceptions all
