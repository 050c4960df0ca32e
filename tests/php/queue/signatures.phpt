--TEST--
The methods' parameters, in their order and with their defaults
--EXTENSIONS--
redislock
--SKIPIF--
<?php
require __DIR__ . '/../inc/skipif.inc';
?>
--FILE--
<?php
require __DIR__ . '/queue.inc';

foreach ((new ReflectionClass('RedisQueue'))->getMethods() as $method) {
    $parameters = [];
    foreach ($method->getParameters() as $p) {
        $parameters[] = $p->getType() . ' $' . $p->getName() . ($p->isOptional() ? ' = ' . var_export($p->getDefaultValue(), true) : '');
    }
    echo $method->getName(), '(', implode(', ', $parameters), ')', $method->hasReturnType() ? ': ' . $method->getReturnType() : '', "\n";
}
?>
--EXPECT--
__construct(array|string|null $servers = NULL, array $options = array (
))
enqueue(string $name, array|string|int $id, float $timeout = 10.0, float $afterInterval = 0.0, bool $replace = true): bool
dequeue(string $name, string|int $id, float $score, float $timeout = 10.0): bool
pop(string $name, int $count = 1, float $timeout = 0.0): array|false
top(string $name, int $count = 1): array|false
reserve(string $name, int $count = 1, float $visibility = 30.0, float $timeout = 0.0): array|false
ack(string $name, string|int $id, string $receipt): bool
release(string $name, string|int $id, string $receipt, float $delay = 0.0): bool
touch(string $name, string|int $id, string $receipt, float $visibility): bool
stats(string $name): array
dead(string $name, int $count = 10): array
requeue(string $name, array|string|int|null $id = NULL): int
