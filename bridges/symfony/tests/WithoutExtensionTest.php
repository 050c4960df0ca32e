<?php

declare(strict_types=1);

namespace Redislock\Symfony\Tests;

use PHPUnit\Framework\TestCase;

/** An application is tested where the extension is missing, with the configuration that the README shows. */
final class WithoutExtensionTest extends TestCase
{
    public function testTheContainerLocksInMemory(): void
    {
        $application = <<<'PHP'
            require $argv[1] . '/vendor/autoload.php';
            require $argv[2] . '/server.inc';

            use Symfony\Component\Config\Loader\LoaderInterface;
            use Symfony\Component\DependencyInjection\Alias;
            use Symfony\Component\DependencyInjection\ContainerBuilder;

            $kernel = new Redislock\Symfony\Tests\AppKernel(function (ContainerBuilder $container, LoaderInterface $loader) use ($argv): void {
                $file = $container->getParameter('kernel.project_dir') . '/lock.yaml';
                file_put_contents($file, $argv[3]);
                $loader->load($file);
                $container->setAlias('the.factory', new Alias('lock.factory', true));
            });
            $kernel->boot();
            $factory = $kernel->getContainer()->get('the.factory');
            $lock = $factory->createLock('SKU0001');
            echo json_encode([
                extension_loaded('redislock'),
                $lock->acquire(),
                $factory->createLock('SKU0001')->acquire(),
                $factory->createLock('SKU0002')->acquire(true),
                $lock->release(),
                $factory->createLock('SKU0001')->acquire(),
            ]);
            PHP;
        $inc = dirname(__DIR__, 3) . '/tests/php/inc';
        $command = [...self::phpWithoutIt(), '-r', $application, '--', dirname(__DIR__), $inc, self::shown()];
        $child = new \Child($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]]);

        self::assertSame('[false,true,false,true,null,true]', stream_get_contents($child->pipes[1]));
    }

    /** The README's configuration for tests. */
    private static function shown(): string
    {
        preg_match_all('/^```yaml\n(.*?)^```$/ms', file_get_contents(dirname(__DIR__) . '/README.md'), $blocks);

        return implode(array_filter($blocks[1], fn ($block) => str_contains($block, 'when@test:')));
    }

    /** @return list<string> the PHP of this test, without the options that load the extension */
    private static function phpWithoutIt(): array
    {
        $command = php_command();
        foreach ($command as $i => $word) {
            if ($word === '-d' && preg_match('~^extension=.*redislock(\.so)?$~', $command[$i + 1])) {
                unset($command[$i], $command[$i + 1]);
            }
        }

        return array_values($command);
    }
}
