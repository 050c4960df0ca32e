<?php
declare(strict_types=1);

/* Counts what bench/instructions tells, on servers of the tests. */

require __DIR__ . '/../../tests/php/inc/cluster.inc';
require __DIR__ . '/../../tests/php/inc/instructions.inc';

$server = RedisServer::startAlone([], true);
$cluster = Cluster::start(masters: 3, replicas: 0);
$told = ['on one server' => instructions_of_a_pair($server->tcpDsn(), ['SKU0001'])];
foreach ($cluster->masters() as $n => $master) {
    $told["on a cluster, at master $n"] = instructions_of_a_pair($cluster->dsn(), [$cluster->nameOn($master, 'SKU000')]);
}
$names = array_map(fn ($nth) => "SKU000$nth", range(0, 9));
$told['on one server, 10 names in turn'] = instructions_of_a_pair($server->tcpDsn(), $names);
$told['on a cluster, 10 names in turn'] = instructions_of_a_pair($cluster->dsn(), $names);
$told['on one server, metrics off'] = instructions_of_a_pair($server->tcpDsn(), ['SKU0001'], ['-d', 'redislock.metrics=0']);
$told['on one server, local turns'] = instructions_of_a_pair($server->tcpDsn(), ['SKU0001'], ['-d', 'redislock.local=1']);
foreach ($told as $where => $count) {
    $one = $told[str_contains($where, 'in turn') ? 'on one server, 10 names in turn' : 'on one server'];
    printf("%-33s %6d  %+.1f %%\n", $where, $count, 100 * ($count / $one - 1));
}
