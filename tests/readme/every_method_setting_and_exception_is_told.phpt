--TEST--
The READMEs tell every method, setting and exception, and no method or setting that is not there
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/blocks.inc';

$extension = new ReflectionExtension('redislock');
$settings = array_keys($extension->getINIEntries());
$methods = array_map(fn ($method) => $method->getName(), (new ReflectionClass('RedisLock'))->getMethods());
$exceptions = array_filter($extension->getClassNames(), fn ($class) => str_ends_with($class, 'Exception'));
sort($settings);
sort($methods);

foreach (READMES as $readme) {
    $api = preg_split('/^###? /m', readme($readme));
    $api = array_values(array_filter($api, fn ($section) => str_starts_with($section, 'API')))[0];
    preg_match_all('/^\| `(?:RedisLock::)?(\w+)\(/m', $api, $found);
    $told = $found[1];
    sort($told);
    echo "$readme: methods ", $told === $methods ? 'all' : json_encode([array_diff($methods, $told), array_diff($told, $methods)]);

    preg_match_all('/`(redislock\.\w+)`/', readme($readme), $found);
    $told = array_values(array_unique($found[1]));
    sort($told);
    echo ', settings ', $told === $settings ? 'all' : json_encode([array_diff($settings, $told), array_diff($told, $settings)]);

    $missing = array_filter($exceptions, fn ($class) => !str_contains(readme($readme), "| `$class` |"));
    echo ', exceptions ', $missing ? 'WITHOUT ' . implode(' ', $missing) : 'all', "\n";
}
?>
--EXPECT--
README.md: methods all, settings all, exceptions all
README.zh-CN.md: methods all, settings all, exceptions all
