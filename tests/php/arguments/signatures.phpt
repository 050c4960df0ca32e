--TEST--
The methods' parameters, in their order and with their defaults: callers name them, or count on their places
--EXTENSIONS--
redislock
--FILE--
<?php
foreach ((new ReflectionClass('RedisLock'))->getMethods() as $method) {
    if (!in_array($method->getName(), ['__construct', 'lock', 'unlock', 'expire', 'unlockAll', 'lockAll', 'remember', 'once', 'forget', 'isLocking', 'synchronized', 'held', 'remaining', 'token', 'fence', 'owner', 'waiters', 'forceUnlock', 'attach', 'detach'])) {
        continue;
    }
    $parameters = [];
    foreach ($method->getParameters() as $p) {
        $parameters[] = $p->getType() . ' $' . $p->getName() . ($p->isOptional() ? ' = ' . json_encode($p->getDefaultValue()) : '');
    }
    echo $method->getName(), '(', implode(', ', $parameters), ')', $method->hasReturnType() ? ': ' . $method->getReturnType() : '', "\n";
}
?>
--EXPECT--
__construct(array|string|null $servers = null, array $options = [])
lock(string $name, ?float $timeout = null, ?float $expire = null, ?string $token = null, ?bool $renew = null): bool
unlock(string $name, ?string $token = null): bool
expire(string $name, ?float $expire = null, ?string $token = null): bool
lockAll(array $names, ?float $timeout = null, ?float $expire = null, ?bool $renew = null): bool
unlockAll(): bool
isLocking(string $name): bool
synchronized(string $name, callable $section, ?float $timeout = null, ?float $expire = null, ?bool $renew = null): mixed
remember(string $key, callable $rebuild, float $ttl, ?float $timeout = null, float $stale = 0, array $allowedClasses = []): mixed
once(string $name, callable $read, callable $rebuild, ?float $timeout = null): mixed
forget(string $key): bool
held(): array
remaining(string $name): float
token(string $name): ?string
fence(string $name): ?int
owner(string $name): ?string
waiters(string $name): int
forceUnlock(string $name): bool
attach(string $name, string $token, ?bool $renew = null): bool
detach(string $name): ?string
