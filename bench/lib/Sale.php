<?php
declare(strict_types=1);

namespace Bench;

/** A flash sale over HTTP: nginx, php-fpm and a database, wrk as the buyers. */
final class Sale
{
    private const STOCK = 300;
    private const BUYERS = 32;
    private const PROCESSES = 16;

    private readonly string $database;
    private int $port;
    /** @var resource[] */
    private array $processes = [];

    public function __construct(private readonly string $folder, private readonly Server $server, private readonly float $seconds)
    {
        $this->database = "$folder/shop.sqlite";
    }

    public function possible(): bool
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
        $answers = fn () => @file_get_contents("http://127.0.0.1:$this->port/?ping") === 'pong';
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
        $script = dirname(__DIR__) . '/http/buy.php';
        $params = [
            'SCRIPT_FILENAME' => $script, 'REQUEST_METHOD' => '$request_method', 'QUERY_STRING' => '$query_string',
            'BENCH_LOCK' => '$arg_lock', 'BENCH_SERVER' => $this->server->unix, 'BENCH_DATABASE' => $this->database,
            'BENCH_VENDOR' => (string) getenv('BENCH_VENDOR'),
        ];
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

    private function stock(): \PDO
    {
        array_map('unlink', glob("$this->database*"));
        $db = new \PDO("sqlite:$this->database");
        $db->exec('PRAGMA journal_mode = WAL; CREATE TABLE products (sku TEXT PRIMARY KEY, stock INTEGER); CREATE TABLE orders (sku TEXT);');
        $db->exec("INSERT INTO products VALUES ('SKU0001', " . self::STOCK . ')');
        return $db;
    }

    /** @return array<string, float> */
    public function run(string $lock): array
    {
        $db = $this->stock();
        $url = "http://127.0.0.1:$this->port/?lock=$lock";
        for ($i = 0; $i < 3; $i++) {
            @file_get_contents("$url&warm");
        }
        $seconds = (string) max(1, (int) $this->seconds);
        $command = ['wrk', '-t1', '-c' . self::BUYERS, "-d{$seconds}s", '--timeout', '20s', '--latency', $url];
        $wrk = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w']], $pipes);
        $told = stream_get_contents($pipes[1]);
        proc_close($wrk);
        preg_match('/^Requests\/sec:\s+([\d.]+)/m', $told, $rate) || throw new \RuntimeException("wrk says: $told");
        preg_match('/Non-2xx or 3xx responses: (\d+)/', $told, $bad);
        preg_match('/Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/', $told, $broken);
        // What is still under way when wrk goes must not sell into the count of the next one.
        usleep(200000);
        wait_until(fn () => $this->server->command('DBSIZE') === 0, 15);
        $orders = (int) $db->query('SELECT count(*) FROM orders')->fetchColumn();
        return [
            'rate' => (float) $rate[1],
            'p50' => self::latency($told, 50),
            'p99' => self::latency($told, 99),
            'orders' => $orders,
            'oversold' => max(0, $orders - self::STOCK),
            'refused' => (int) ($bad[1] ?? 0) + array_sum(array_slice($broken, 1)),
        ];
    }

    private static function latency(string $told, int $quantile): float
    {
        preg_match("/^\s+$quantile%\s+([\d.]+)(us|ms|s)/m", $told, $found);
        return isset($found[2]) ? $found[1] * ['us' => 0.001, 'ms' => 1, 's' => 1000][$found[2]] : NAN;
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
