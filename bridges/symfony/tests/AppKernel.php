<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PrivateFolder;
use Redislock\Symfony\RedislockSymfonyBundle;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Component\Config\Loader\LoaderInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\HttpKernel\Kernel;

/** An application with the bundle, in a folder that goes with it. */
final class AppKernel extends Kernel
{
    private readonly PrivateFolder $folder;

    /**
     * @param \Closure(ContainerBuilder, LoaderInterface): mixed $configure what stands in config/
     */
    public function __construct(private readonly \Closure $configure)
    {
        parent::__construct('test', false);
        $this->folder = new PrivateFolder();
    }

    public function registerBundles(): iterable
    {
        return [new FrameworkBundle(), new RedislockSymfonyBundle()];
    }

    public function registerContainerConfiguration(LoaderInterface $loader): void
    {
        $loader->load(function (ContainerBuilder $container) use ($loader): void {
            $container->loadFromExtension('framework', [
                'secret' => 'of nobody',
                'http_method_override' => false,
                'handle_all_throwables' => true,
                'php_errors' => ['log' => true],
            ]);
            ($this->configure)($container, $loader);
        });
    }

    public function getProjectDir(): string
    {
        return $this->folder->path;
    }
}
