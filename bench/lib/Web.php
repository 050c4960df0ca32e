<?php
declare(strict_types=1);

namespace Bench;

/** nginx and php-fpm, which serve the scripts in http/, and wrk, which asks for them. */
final class Web
{
    /** of php-fpm */
    public const PROCESSES = 16;
    private const BUYERS = 32;

    private int $port;
    /** @var resource[] */
    private array $processes = [];

    /** @param array<string, string> $urls path => how Redis is reached by it */
    public function __construct(private readonly string $folder, private readonly Server $server, private readonly array $urls)
    {
    }

    public static function isPossible(): bool
    {
        return getenv('BENCH_SALE') === 'yes';
    }

    public function open(): void
    {
        $this->port = free_port();
        file_put_contents("$this->folder/fpm.conf", $this->fpm());
        file_put_contents("$this->folder/nginx.conf", $this->nginx());
        $options = array_slice(Crew::php(), 1);
        $this->start([getenv('BENCH_FPM'), ...$options, '-d', 'zend_extension=opcache', '-d', 'opcache.enable=1', '-F', '-O', '-R', '-y', "$this->folder/fpm.conf"], 'fpm');
        $this->start(['nginx', '-c', "$this->folder/nginx.conf", '-e', "$this->folder/nginx.log"], 'nginx');
        $answers = fn () => @file_get_contents($this->url('ping.php')) === 'pong';
        wait_until($answers, 10) || throw new \RuntimeException('nginx and php-fpm do not answer: ' . $this->logs());
    }

    private function start(array $command, string $name): void
    {
        $log = ['file', "$this->folder/$name.log", 'a'];
        $this->processes[$name] = proc_open($command, [['file', '/dev/null', 'r'], $log, $log], $pipes);
    }

    private function logs(): string
    {
        return implode('', array_map(fn ($name) => (string) @file_get_contents("$this->folder/$name.log"), ['fpm', 'nginx']));
    }

    private function fpm(): string
    {
        $user = posix_getuid() === 0 ? "user = root\ngroup = root\n" : '';
        $processes = self::PROCESSES;
        return "[global]\nerror_log = $this->folder/fpm.log\nlog_level = warning\n[shop]\n{$user}listen = $this->folder/fpm.sock\n"
            . "pm = static\npm.max_children = $processes\nlisten.backlog = 1024\nclear_env = no\ncatch_workers_output = yes\n";
    }

    private function nginx(): string
    {
        $user = posix_getuid() === 0 ? "user root;\n" : '';
        $params = [
            'SCRIPT_FILENAME' => dirname(__DIR__) . '/http$uri', 'REQUEST_METHOD' => '$request_method', 'QUERY_STRING' => '$query_string',
            'BENCH_FOLDER' => $this->folder, 'BENCH_VENDOR' => (string) getenv('BENCH_VENDOR'),
        ];
        foreach ($this->urls as $path => $url) {
            $params['BENCH_' . strtoupper($path)] = $url;
        }
        $lines = implode('', array_map(fn ($name, $value) => "            fastcgi_param $name \"$value\";\n", array_keys($params), $params));
        return <<<CONF
            {$user}daemon off;
            worker_processes 1;
            pid $this->folder/nginx.pid;
            error_log $this->folder/nginx.log;
            events { worker_connections 1024; }
            http {
                access_log off;
                client_body_temp_path $this->folder/nginx-body;
                fastcgi_temp_path $this->folder/nginx-fastcgi;
                proxy_temp_path $this->folder/nginx-proxy;
                uwsgi_temp_path $this->folder/nginx-uwsgi;
                scgi_temp_path $this->folder/nginx-scgi;
                keepalive_requests 1000000;
                server {
                    listen 127.0.0.1:$this->port;
                    location / {
                        fastcgi_pass unix:$this->folder/fpm.sock;
            $lines        }
                }
            }

            CONF;
    }

    /** @param array<string, string|int> $query */
    private function url(string $script, array $query = []): string
    {
        return "http://127.0.0.1:$this->port/$script?" . http_build_query($query);
    }

    /**
     * Many ask for a script again and again, after some have warmed it up.
     *
     * @return string what wrk tells
     */
    public function wrk(string $script, array $query, float $seconds): string
    {
        for ($i = 0; $i < 3; $i++) {
            @file_get_contents($this->url($script, ['warm' => 1] + $query));
        }
        $seconds = (string) max(1, (int) $seconds);
        $command = ['wrk', '-t1', '-c' . self::BUYERS, "-d{$seconds}s", '--timeout', '20s', '--latency', $this->url($script, $query)];
        $wrk = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w']], $pipes);
        $told = stream_get_contents($pipes[1]);
        proc_close($wrk);
        return $told;
    }

    /** What is still under way when wrk goes must not count for the next one. */
    public function settle(): void
    {
        usleep(200000);
        wait_until(fn () => $this->server->command('DBSIZE') === 0, 15);
    }

    public function close(): void
    {
        foreach ($this->processes as $process) {
            proc_terminate($process, SIGTERM);
            if (!wait_until(fn () => !proc_get_status($process)['running'], 5)) {
                proc_terminate($process, SIGKILL);
            }
            proc_close($process);
        }
        $this->processes = [];
    }
}
