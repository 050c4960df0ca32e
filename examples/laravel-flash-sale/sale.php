<?php

declare(strict_types=1);

/*
 * One sale, over HTTP: many buyers at once, each wants one piece. Exits with 0 if every piece was sold once.
 *
 *     php sale.php PATH URL…      e.g. /buy http://127.0.0.1:8000
 *
 * The buyers are dealt out to the URLs in turn. The database is that of the application (DB_SOCKET, DB_DATABASE).
 */

const SKU = 'SKU0001', PIECES = 100, BUYERS = 400, AT_ONCE = 16;

[, $path] = $argv;
$urls = array_slice($argv, 2);

$db = new PDO('mysql:unix_socket='.getenv('DB_SOCKET').';dbname='.getenv('DB_DATABASE'), getenv('DB_USERNAME') ?: 'root', '');
$db->exec('DELETE FROM orders');
$db->exec("REPLACE INTO products VALUES ('".SKU."', ".PIECES.')');

/** @return resource that a buyer's answer will come from */
function send(string $url, string $path, string $buyer)
{
    $stream = stream_socket_client(str_replace('http://', 'tcp://', $url), $code, $error, 10)
        ?: throw new RuntimeException("$url: $error");
    $body = http_build_query(['buyer' => $buyer]);
    fwrite($stream, "POST $path/".SKU." HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        .'Content-Length: '.strlen($body)."\r\n\r\n$body");

    return $stream;
}

$answers = array_fill_keys(['sold', 'sold out', 'busy', 'failed'], 0);
$open = $heard = [];
$start = microtime(true);
for ($next = 0; $next < BUYERS || $open !== [];) {
    while ($next < BUYERS && count($open) < AT_ONCE) {
        $open[$next] = send($urls[$next % count($urls)], $path, "buyer $next");
        $heard[$next++] = '';
    }
    $ready = $open;
    $none = null;
    if (stream_select($ready, $none, $none, 30) === 0) {
        throw new RuntimeException('no answer in 30 s');
    }
    foreach ($ready as $buyer => $stream) {
        $heard[$buyer] .= fread($stream, 8192);
        if (feof($stream)) {
            unset($open[$buyer]);
            $status = (int) substr($heard[$buyer], 9, 3);
            $answer = [201 => 'sold', 409 => 'sold out', 503 => 'busy'][$status] ?? 'failed';
            $answers[$answer]++;
        }
    }
}
$seconds = microtime(true) - $start;

$orders = (int) $db->query('SELECT count(*) FROM orders')->fetchColumn();
$stock = (int) $db->query('SELECT stock FROM products')->fetchColumn();
foreach ($answers as $answer => $buyers) {
    echo "$answer: $buyers, ";
}
printf("%.0f buyers a second\n%d orders for %d pieces, %d in stock: ", BUYERS / $seconds, $orders, PIECES, $stock);
echo $orders > PIECES ? 'oversold by '.($orders - PIECES)."\n" : "not oversold\n";

exit($orders === PIECES && $stock === 0 && $answers['sold'] === $orders && $answers['failed'] === 0 ? 0 : 1);
