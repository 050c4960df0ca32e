<?php
declare(strict_types=1);

/*
 * A page for Prometheus to scrape: what all workers of this pool have counted, by whichever of them answers.
 *
 * Put it beside the status page of PHP-FPM, where nobody else can ask for it:
 *
 *     location = /redislock-metrics {
 *         allow 127.0.0.1;
 *         deny all;
 *         include fastcgi_params;
 *         fastcgi_param SCRIPT_FILENAME /usr/local/share/redislock/metrics.php;
 *         fastcgi_pass unix:/run/php/php-fpm.sock;
 *     }
 *
 * Made by bin/update-command from src/cli/, as one file.
 */

namespace Redislock\Cli;

$metrics = \RedisLock::metrics();
$open = str_contains($_SERVER['HTTP_ACCEPT'] ?? '', 'application/openmetrics-text');
if ($metrics['machine'] === null && $metrics['problem'] !== null) {
    http_response_code(500);
    header('Content-Type: text/plain; charset=utf-8');
    exit("$metrics[problem]\n");
}
header('Content-Type: ' . ($open ? Exposition::OPEN_TYPE : Exposition::TYPE));
// Nobody has counted yet: the page is there, and empty.
echo $metrics['machine'] !== null ? Exposition::of($metrics['machine'], $metrics['bounds'], $open) : ($open ? "# EOF\n" : '');
