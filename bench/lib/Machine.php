<?php
declare(strict_types=1);

namespace Bench;

/** On what it was measured, and with which versions. */
final class Machine
{
    private string $began;
    private string $loadBefore;
    private string $loadAfter = '';
    private float $start;
    private float $took = 0;

    public function __construct(public readonly string $mode, private readonly string $server)
    {
        $this->began = gmdate('Y-m-d H:i') . ' UTC';
        $this->loadBefore = self::load();
        $this->start = microtime(true);
    }

    public function end(): void
    {
        $this->loadAfter = self::load();
        $this->took = microtime(true) - $this->start;
    }

    private static function load(): string
    {
        return number_format(sys_getloadavg()[0], 2);
    }

    /**
     * Whether somebody else used the processors when it began.
     *
     * @param array<string, string> $facts see facts()
     */
    public static function wasBusy(array $facts): bool
    {
        return (float) $facts['load of the machine'] > 0.5;
    }

    /** @return array<string, string> */
    public function facts(): array
    {
        $cpu = preg_match('/^model name\s*: (.*)$/m', (string) @file_get_contents('/proc/cpuinfo'), $found) ? $found[1] : php_uname('m');
        $memory = preg_match('/^MemTotal:\s+(\d+)/m', (string) @file_get_contents('/proc/meminfo'), $found) ? round($found[1] / 1048576) . ' GiB' : '';
        $system = preg_match('/^PRETTY_NAME="?(.*?)"?$/m', (string) @file_get_contents('/etc/os-release'), $found) ? $found[1] : PHP_OS;
        return array_filter([
            'measured' => "$this->began, bin/bench --$this->mode, " . round($this->took / 60, 1) . ' minutes',
            'processor' => "$cpu, " . trim((string) shell_exec('nproc')) . ' cores, ' . $memory,
            'load of the machine' => "$this->loadBefore before, $this->loadAfter after",
            'system' => "$system, Linux " . php_uname('r'),
            'redislock' => self::line(Crew::php(), '-r', 'echo phpversion("redislock");') . $this->commit(),
            'redislock before' => getenv('BENCH_AGAINST') ? self::line(Crew::php(true), '-r', 'echo phpversion("redislock");') . ', commit ' . getenv('BENCH_AGAINST') : '',
            'built' => getenv('BENCH_BUILD') . ', without a sanitizer',
            'PHP' => PHP_VERSION . (PHP_ZTS ? ' ZTS' : ' NTS') . ', without a JIT; opcache in php-fpm',
            'server' => $this->server,
            'hiredis' => trim((string) shell_exec('pkg-config --modversion hiredis')),
            'phpredis' => self::line(Crew::php(), '-r', 'echo phpversion("redis");'),
            ...$this->packages(),
        ]);
    }

    private function commit(): string
    {
        $root = escapeshellarg(dirname(__DIR__, 2));
        $sources = 'redislock.c php_redislock.h lock_core.c lock_core.h src lua';
        $commit = trim((string) shell_exec("git -C $root log -1 --format=%h -- $sources 2>/dev/null"));
        $changed = trim((string) shell_exec("git -C $root status --porcelain -- $sources 2>/dev/null")) !== '';
        return $commit === '' ? '' : ", commit $commit" . ($changed ? ' with changes' : '');
    }

    /** @return array<string, string> */
    private function packages(): array
    {
        $found = [];
        $installed = (string) getenv('BENCH_VENDOR') . '/composer/installed.json';
        foreach (json_decode((string) @file_get_contents($installed), true)['packages'] ?? [] as $package) {
            if (in_array($package['name'], ['laravel/framework', 'symfony/lock', 'predis/predis'], true)) {
                $found[$package['name']] = ltrim($package['version'], 'v');
            }
        }
        if (getenv('BENCH_SALE') === 'yes') {
            $found['nginx'] = preg_replace('~^.*nginx/~', '', self::line(['nginx'], '-v'));
            $found['wrk'] = preg_replace('~^wrk (\S+).*~', '$1', self::line(['wrk'], '-v'));
        }
        return $found;
    }

    /** The first line of what a command prints, wherever it prints it. */
    private static function line(array $command, string ...$args): string
    {
        $process = proc_open([...$command, ...$args], [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
        $line = trim((string) fgets($pipes[1]));
        stream_get_contents($pipes[1]);
        proc_close($process);
        return $line;
    }
}
