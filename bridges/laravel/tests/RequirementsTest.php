<?php

namespace Redislock\Laravel\Tests;

use FilesystemIterator;
use PHPUnit\Framework\TestCase;
use RecursiveDirectoryIterator;
use RecursiveIteratorIterator;
use ReflectionFunction;

/** What composer.json asks for is what the package uses, and what the tests have. */
class RequirementsTest extends TestCase
{
    /** Packages illuminate/… would do once this fails: then composer.json can require those instead. */
    public function test_it_needs_the_whole_framework(): void
    {
        $used = $this->partsOfLaravel();
        self::assertContains('Illuminate\Cache', $used);
        $framework = json_decode(file_get_contents($this->vendor().'/laravel/framework/composer.json'), true);
        $single = array_map(
            fn (string $package) => 'illuminate\\'.str_replace('-', '', substr($package, strlen('illuminate/'))),
            array_filter(array_keys($framework['replace']), fn (string $package) => str_starts_with($package, 'illuminate/')),
        );
        self::assertContains('illuminate\cache', $single);

        self::assertSame(['Illuminate\Foundation'], array_values(array_filter(
            $used,
            fn (string $part) => ! in_array(strtolower($part), $single, true),
        )), 'this part of Laravel is in no package of its own');
        self::assertArrayHasKey('laravel/framework', $this->package()['require']);
    }

    public function test_each_version_of_laravel_that_it_allows_is_tested(): void
    {
        preg_match_all('/\^(\d+)/', $this->package()['require']['laravel/framework'], $allowed);
        preg_match('/^\[ \$# -gt 0 \] \|\| set -- ([\d ]+)$/m', file_get_contents(__DIR__.'/run'), $tested);

        self::assertSame($allowed[1], explode(' ', $tested[1]));
    }

    /** @return list<string> the namespaces of Laravel whose classes and functions the package uses */
    private function partsOfLaravel(): array
    {
        $parts = [];
        $files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator(dirname(__DIR__).'/src', FilesystemIterator::SKIP_DOTS));
        foreach ($files as $file) {
            $code = file_get_contents($file);
            preg_match_all('/^use (Illuminate\\\\\w+)/m', $code, $classes);
            preg_match_all('/(?<![>:\w\\\\$]|function |new )\b([a-z_]+)\(/', $code, $calls);
            array_push($parts, ...$classes[1]);
            foreach (array_filter(array_unique($calls[1]), function_exists(...)) as $function) {
                preg_match('~/src/(Illuminate/\w+)/~', (new ReflectionFunction($function))->getFileName() ?: '', $home);
                if ($home) {
                    $parts[] = strtr($home[1], '/', '\\');
                }
            }
        }
        sort($parts);

        return array_values(array_unique($parts));
    }

    /** @return array<string, mixed> */
    private function package(): array
    {
        return json_decode(file_get_contents(dirname(__DIR__).'/composer.json'), true);
    }

    private function vendor(): string
    {
        return $_SERVER['COMPOSER_VENDOR_DIR'];
    }
}
