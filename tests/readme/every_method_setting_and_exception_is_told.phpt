--TEST--
The READMEs tell every method, setting and exception, and no method or setting that is not there
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

foreach (READMES as $readme) {
    $sections = preg_split('/^## /m', readme($readme));
    echo "$readme: methods";
    foreach (['RedisLock' => 'API', 'RedisQueue' => $readme === 'README.md' ? 'Queues' : '队列'] as $class => $title) {
        $section = array_values(array_filter($sections, fn ($section) => str_starts_with($section, "$title\n")))[0];
        preg_match_all('/^\| `(?:RedisLock::)?(\w+)\(/m', $section, $found);
        $told = $found[1];
        sort($told);
        $methods = $methods_of($class);
        echo " of $class ", $told === $methods ? 'all' : json_encode([array_diff($methods, $told), array_diff($told, $methods)]);
    }

    preg_match_all('/`(redislock\.\w+)`/', readme($readme), $found);
    $told = array_values(array_unique($found[1]));
    sort($told);
    echo ', settings ', $told === $settings ? 'all' : json_encode([array_diff($settings, $told), array_diff($told, $settings)]);

    $missing = array_filter($exceptions, fn ($class) => !str_contains(readme($readme), "| `$class` |"));
    echo ', exceptions ', $missing ? 'WITHOUT ' . implode(' ', $missing) : 'all', "\n";
}
?>
--EXPECT--
README.md: methods of RedisLock all of RedisQueue all, settings all, exceptions all
README.zh-CN.md: methods of RedisLock all of RedisQueue all, settings all, exceptions all
