<?php

namespace Redislock\Laravel;

use Closure;
use Illuminate\Console\Events\CommandFinished;
use Illuminate\Console\Events\CommandStarting;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Foundation\Http\Events\RequestHandled;
use Illuminate\Queue\Events\JobExceptionOccurred;
use Illuminate\Queue\Events\JobProcessed;
use Illuminate\Queue\Events\JobProcessing;
use Illuminate\Routing\Events\RouteMatched;
use Illuminate\Routing\Route;
use WeakReference;

/**
 * What this process runs, as its locks tell it to whoever asks who holds them: the job, the route or the command. One may
 * run inside of another, as a job does in the command of its worker; then the inner one counts.
 *
 * It knows no application, so under Octane one is enough for all requests.
 */
final class Description
{
    /** @var list<array{WeakReference<object>, string}> what has begun and not ended, the innermost last */
    private array $running = [];

    private ?string $told = null;

    /** @param  Closure(?string): void  $describe  RedisLock::describe() */
    public function __construct(private readonly Closure $describe)
    {
    }

    public function listen(Dispatcher $events): void
    {
        $events->listen(CommandStarting::class, fn (CommandStarting $event) => $this->begin($event->input, rtrim("artisan $event->command")));
        $events->listen(CommandFinished::class, fn (CommandFinished $event) => $this->end($event->input));
        $events->listen(RouteMatched::class, fn (RouteMatched $event) => $this->begin($event->request, self::route($event->route)));
        $events->listen(RequestHandled::class, fn (RequestHandled $event) => $this->end($event->request));
        $events->listen(JobProcessing::class, fn (JobProcessing $event) => $this->begin($event->job, 'job '.class_basename($event->job->resolveName())));
        $events->listen(JobProcessed::class, fn (JobProcessed $event) => $this->end($event->job));
        $events->listen(JobExceptionOccurred::class, fn (JobExceptionOccurred $event) => $this->end($event->job));
    }

    private function begin(object $what, string $name): void
    {
        $this->running[] = [WeakReference::create($what), $name];
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

    /** By its name, if it has one, else as it was written. A cached route without a name has one that Laravel made up. */
    private static function route(Route $route): string
    {
        $name = (string) $route->getName();

        return $name === '' || str_starts_with($name, 'generated::')
            ? $route->methods()[0].' '.$route->uri()
            : "route $name";
    }
}
