<?php

declare(strict_types=1);

namespace Redislock\Symfony;

use RedisLock;
use Symfony\Component\Console\Event\ConsoleCommandEvent;
use Symfony\Component\Console\Event\ConsoleTerminateEvent;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\Event\FinishRequestEvent;
use Symfony\Component\HttpKernel\Event\RequestEvent;
use Symfony\Component\Messenger\Event\WorkerMessageFailedEvent;
use Symfony\Component\Messenger\Event\WorkerMessageHandledEvent;
use Symfony\Component\Messenger\Event\WorkerMessageReceivedEvent;

/**
 * What this process runs, as its locks tell it to whoever asks who holds them: the route, the command or the message. One may
 * run inside of another, as a message does in the command of its worker; then the inner one counts.
 *
 * @internal
 */
final class Description implements EventSubscriberInterface
{
    private readonly \Closure $describe;

    /** @var list<array{\WeakReference<object>, string}> what has begun and not ended, the innermost last */
    private array $running = [];

    private ?string $told = null;

    /** @param (\Closure(?string): void)|null $describe instead of RedisLock::describe() */
    public function __construct(?\Closure $describe = null)
    {
        // Asked at run time: the container may have been compiled by a PHP without the extension.
        $this->describe = $describe ?? (method_exists(RedisLock::class, 'describe') ? RedisLock::describe(...) : static fn () => null);
    }

    /** By name, since an application need not have these components. The router has run at the priority 32. */
    public static function getSubscribedEvents(): array
    {
        return [
            'kernel.request' => ['onRequest', 31],
            'kernel.finish_request' => 'onFinishRequest',
            'console.command' => 'onCommand',
            'console.terminate' => 'onTerminate',
            WorkerMessageReceivedEvent::class => 'onMessage',
            WorkerMessageHandledEvent::class => 'onMessageEnd',
            WorkerMessageFailedEvent::class => 'onMessageEnd',
        ];
    }

    public function onRequest(RequestEvent $event): void
    {
        $route = $event->getRequest()->attributes->get('_route');
        if (is_string($route)) { // not in a subrequest: it has its parent's
            $this->begin($event->getRequest(), "route $route");
        }
    }

    public function onFinishRequest(FinishRequestEvent $event): void
    {
        $this->end($event->getRequest());
    }

    public function onCommand(ConsoleCommandEvent $event): void
    {
        $this->begin($event->getInput(), rtrim("console {$event->getCommand()?->getName()}"));
    }

    public function onTerminate(ConsoleTerminateEvent $event): void
    {
        $this->end($event->getInput());
    }

    public function onMessage(WorkerMessageReceivedEvent $event): void
    {
        $message = $event->getEnvelope()->getMessage();
        $this->begin($message, 'message ' . preg_replace('/^.*\\\\/s', '', $message::class));
    }

    public function onMessageEnd(WorkerMessageHandledEvent|WorkerMessageFailedEvent $event): void
    {
        $this->end($event->getEnvelope()->getMessage());
    }

    private function begin(object $what, string $name): void
    {
        $this->running[] = [\WeakReference::create($what), $name];
        $this->tell();
    }

    /** Whatever began inside of it has ended too, and so has what is gone without a word. */
    private function end(object $what): void
    {
        foreach ($this->running as $i => [$begun]) {
            if ($begun->get() === $what) {
                $this->running = array_slice($this->running, 0, $i);
                break;
            }
        }
        $this->tell();
    }

    private function tell(): void
    {
        $this->running = array_values(array_filter($this->running, fn (array $one) => $one[0]->get() !== null));
        $now = $this->running === [] ? null : end($this->running)[1];
        if ($now !== $this->told) {
            $this->told = $now;
            ($this->describe)($now);
        }
    }
}
