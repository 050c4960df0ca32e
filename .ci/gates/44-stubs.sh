# The stubs say what the extension declares, to PHPStan and Psalm too, and declare nothing at run time.
set -euo pipefail
# shellcheck source=../lib.sh
. "$(dirname "$0")/../lib.sh"
make_scratch

build composer ext-dom ext-mbstring

# What is in the stubs is what is in the extension.
describe='
    foreach (["RedisLock", "RedisLockException", "RedisLockConnectionException", "RedisLockServerException", "RedisLockTimeoutException", "RedisLockHeldException", "RedisLockLostException", "RedisQueue", "RedisQueueException", "RedisQueueConnectionException", "RedisQueueServerException"] as $name) {
        if (!class_exists($name)) continue;
        $class = new ReflectionClass($name);
        echo $name, " extends ", get_parent_class($name) ?: "nothing", "\n";
        $lines = [];
        foreach ($class->getMethods() as $method) {
            if ($method->class !== $name) continue;
            $parameters = array_map(fn ($p) => $p->getType() . " $" . $p->name . ($p->isOptional() ? " = " . json_encode($p->getDefaultValue()) : ""), $method->getParameters());
            $lines[] = implode(" ", Reflection::getModifierNames($method->getModifiers())) . " $method->name(" . implode(", ", $parameters) . "): " . $method->getReturnType();
        }
        foreach ($class->getProperties() as $property) {
            if ($property->class === $name) $lines[] = $property->getType() . " $" . $property->name;
        }
        sort($lines);
        echo "  ", implode("\n  ", $lines), "\n";
    }'
"$php" -n -r "require '$root/stubs/RedisLock.php'; require '$root/stubs/RedisQueue.php';$describe" >"$scratch/stubs"
"$php" -n -d "extension=$extension" -r "$describe" >"$scratch/extension"
[ "$(wc -l <"$scratch/extension")" -ge 20 ] || complain "the extension declares little: $(cat "$scratch/extension")"
diff -u "$scratch/extension" "$scratch/stubs" || complain 'the stubs declare something else than the extension'
while read -r method; do
    grep -q -e "->$method(" -e "::$method(" "$root/stubs/tests/every_call.php" || complain "stubs/tests/every_call.php does not call $method()"
done < <(sed -n 's/^  public .*\b\([a-z]\w*\)(.*/\1/p' "$scratch/extension" | grep -v __construct)

# In a project of a user's. Without the extension the stubs are all that PHPStan and Psalm know.
mkdir "$scratch/project"
cd "$scratch/project"
cp -R "$root/stubs" "$scratch/package"
cat >composer.json <<JSON
{
  "repositories": [{"type": "path", "url": "../package", "options": {"symlink": false}}],
  "require-dev": {"redislock/stubs": "*@dev", "phpstan/phpstan": "^2.1", "vimeo/psalm": ">=5.18"}
}
JSON
run_quietly 'composer in a project with the stubs' env COMPOSER_ALLOW_SUPERUSER=1 composer update --no-interaction || complain 'composer'
printf 'includes:\n    - vendor/redislock/stubs/extension.neon\nparameters:\n    level: max\n    tmpDir: tmp\n' >phpstan.neon
# psalm FILE [OPTION…]: at its highest level, as the stubs' README says.
psalm() {
    cat >psalm.xml <<XML
<?xml version="1.0"?>
<psalm errorLevel="1" findUnusedCode="false" cacheDirectory="cache" xmlns="https://getpsalm.org/schema/config">
  <projectFiles><file name="$1"/></projectFiles>
  $(sed -n 's/^- \*\*Psalm\*\*: `\(.*\)`$/\1/p' vendor/redislock/stubs/README.md)
</psalm>
XML
    "$php" -d memory_limit=1G "${@:2}" vendor/bin/psalm --no-progress --no-cache --threads=1 --output-format=text
}
cp "$scratch/package/tests/every_call.php" .
for load in none "extension=$extension"; do
    args=()
    [ "$load" = none ] || args+=(-d "$load")
    "$php" -d memory_limit=1G "${args[@]}" vendor/bin/phpstan analyse --no-progress every_call.php || complain "PHPStan, $load"
    psalm every_call.php "${args[@]}" || complain "Psalm, $load"
done
cat >wrong.php <<'PHP'
<?php
(new RedisLock())->unlock('x', true);
expect((new RedisLock())->synchronized('x', fn (): int => 42));
function expect(string $text): void {}
PHP
found=$("$php" -d memory_limit=1G vendor/bin/phpstan analyse --no-progress --error-format=raw wrong.php 2>&1 || true)
grep -q 'wrong.php:2:.*unlock() expects string|null, true given' <<<"$found" && grep -q 'wrong.php:3:.*expects string, int given' <<<"$found" ||
    complain "PHPStan does not find what is wrong: $found"
found=$(psalm wrong.php 2>&1 || true)
grep -q 'wrong.php:2:.*unlock expects.*but true provided' <<<"$found" && grep -q 'wrong.php:3:.*expects string, but 42 provided' <<<"$found" ||
    complain "Psalm does not find what is wrong: $found"

declared=$("$php" -n -r 'require "vendor/autoload.php"; echo class_exists("RedisLock") ? "something" : "nothing";')
[ "$declared" = nothing ] || complain 'the stubs declare something at run time'
"$php" -n -d "extension=$extension" -r 'require "vendor/autoload.php"; exit(class_exists("RedisLock") ? 0 : 1);' || complain 'the stubs are in the way of the extension'

finish
