<?php

declare(strict_types=1);

namespace Redislock\Symfony;

use Symfony\Component\DependencyInjection\Compiler\PassConfig;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\HttpKernel\Bundle\Bundle;

/**
 * Teaches `framework.lock` the resources of this package: a DSN such as `redislock://localhost:6379`, or a service. Has locks tell
 * what their process runs.
 */
final class RedislockSymfonyBundle extends Bundle
{
    public function build(ContainerBuilder $container): void
    {
        // Before MonologBundle replaces the logger of tagged services by that of their channel.
        $container->addCompilerPass(new LockResourcePass(), PassConfig::TYPE_BEFORE_OPTIMIZATION, 10);

        $container->register('redislock.description', Description::class)->addTag('kernel.event_subscriber');
    }
}
