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

/** Which page has which class, and the heading of its part of the page; '' is all of it. */
const TOLD = [
    'English' => ['RedisLock' => ['docs/api.md', ''], 'RedisQueue' => ['docs/queue.md', '']],
    'Chinese' => ['RedisLock' => [CHINESE, 'API'], 'RedisQueue' => [CHINESE, '队列']],
];

foreach (TOLD as $language => $classes) {
    echo "$language: methods";
    foreach ($classes as $class => [$page, $title]) {
        $sections = array_filter(preg_split('/^## /m', readme($page)), fn ($section) => $title === '' || str_starts_with($section, "$title\n"));
        preg_match_all('/^\| `(?:RedisLock::)?(\w+)\(/m', implode($sections), $found);
        $told = $found[1];
        sort($told);
        $methods = $methods_of($class);
        echo " of $class ", $told === $methods ? 'all' : json_encode([array_diff($methods, $told), array_diff($told, $methods)]);
    }

    $text = implode(array_unique(array_map(fn ($place) => readme($place[0]), array_values($classes))));
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
