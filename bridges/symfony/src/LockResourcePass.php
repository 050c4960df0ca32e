<?php

declare(strict_types=1);

namespace Redislock\Symfony;

use Symfony\Component\DependencyInjection\ChildDefinition;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\ContainerInterface;
use Symfony\Component\DependencyInjection\Reference;
use Symfony\Component\Lock\Store\StoreFactory as SymfonyStoreFactory;

/**
 * Lets our StoreFactory make the stores of all `framework.lock` resources; it passes on to Symfony's what is not ours.
 * Everything that FrameworkBundle builds on the stores (factories, aliases, rate limiters) stays as it is.
 */
final class LockResourcePass implements CompilerPassInterface
{
    public function process(ContainerBuilder $container): void
    {
        $combined = self::combinedStores($container);
        foreach (array_keys($container->findTaggedServiceIds('lock.store')) as $id) {
            $store = $container->getDefinition($id);
            if ($store->getFactory() !== [SymfonyStoreFactory::class, 'createStore']) {
                continue;
            }
            $store->setFactory([StoreFactory::class, 'createStore']);
            $store->setArguments([
                self::resource($store->getArgument(0), $container),
                new Reference('logger', ContainerInterface::NULL_ON_INVALID_REFERENCE),
                isset($combined[$id]) ? $id : '',
            ]);
            $store->addTag('monolog.logger', ['channel' => 'lock']);
        }
    }

    /** FrameworkBundle 7 has made a reference of a service's id; 6.4 leaves the id as it is. */
    private static function resource(mixed $resource, ContainerBuilder $container): mixed
    {
        $isService = is_string($resource) && !in_array($resource, ['flock', 'semaphore', 'in-memory', 'null'], true)
            && $container->has($resource);

        return $isService ? new Reference($resource) : $resource;
    }

    /** @return array<string, true> the ids of the stores that are one of several: a Key needs a state for each */
    private static function combinedStores(ContainerBuilder $container): array
    {
        $ids = [];
        foreach ($container->getDefinitions() as $definition) {
            if ($definition instanceof ChildDefinition && $definition->getParent() === 'lock.store.combined.abstract') {
                foreach ($definition->getArgument(0) as $store) {
                    $ids[(string) $store] = true;
                }
            }
        }

        return $ids;
    }
}
