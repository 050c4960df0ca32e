<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use Symfony\Component\DependencyInjection\ContainerInterface;

/** An application, booted for one test. */
abstract class KernelTestCase extends ServerTestCase
{
    protected ?AppKernel $kernel = null;

    protected function bootKernel(\Closure $configure): ContainerInterface
    {
        $this->kernel = new AppKernel($configure);
        $this->kernel->boot();

        return $this->kernel->getContainer();
    }

    protected function tearDown(): void
    {
        if ($this->kernel !== null) {
            $this->kernel->shutdown();
            restore_exception_handler(); // FrameworkBundle's
        }
    }
}
