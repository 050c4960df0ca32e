<?php
declare(strict_types=1);

/*
 * How much each mode measures. `rounds` runs of all; no new one is begun that would end after `budget` seconds. The sizes
 * are the same for every peer. `against` is what differs where ours is held against another commit: few take part, and many
 * short rounds tell more of their ratio than a few long ones.
 */

$crowds = function (array $paths, array $processes, array $holds): array {
    $all = [];
    foreach ($paths as $path) {
        foreach ($holds as $hold) {
            foreach ($processes as $count) {
                $all[] = [$path, $count, $hold];
            }
        }
    }
    return $all;
};

// Whose instructions are counted: the loops, and ours in all its forms.
$counted = ['limit', 'ours', 'ours-once', 'ours-unnamed', 'ours-uncounted', 'before', 'before-once'];

$batches = array_fill(0, 3, ['direct', 16, 0]);

return [
    // What local turns change, and nothing else.
    'local' => [
        'rounds' => 9,
        'budget' => 1140,
        'pings' => 200,
        'pairs' => [],
        'uncontended' => ['rounds' => 0],
        'trips' => 50,
        'crowd' => $crowds(['direct', 'tcp', 'delayed'], [16], [0, 1]),
        'few' => $crowds(['direct', 'delayed'], [2, 4, 8], [0, 1]),
        'visitors' => [],
        'batch' => [],
        'machines' => $crowds(['direct', 'delayed'], [16], [0, 1]),
        'mixed' => $crowds(['direct', 'delayed'], [16], [0, 1]),
        'bridges' => $crowds(['direct', 'delayed'], [16], [0, 1]),
        'fpm' => ['rounds' => 9, 'paths' => ['direct', 'delayed'], 'holds' => [1], 'seconds' => 1],
        'seconds' => 0.5,
        'idle' => ['rounds' => 3, 'waiters' => 64, 'seconds' => 10.8],
        'sale' => ['rounds' => 9, 'seconds' => 1],
        'memory' => 0,
    ],
    'tiny' => [
        'rounds' => 1,
        'budget' => 20,
        'pings' => 50,
        'pairs' => ['unix' => ['rounds' => 2, 'count' => 20], 'tcp' => ['rounds' => 2, 'count' => 20], 'delayed' => ['rounds' => 1, 'count' => 5]],
        'trips' => 5,
        'crowd' => [...$crowds(['direct'], [2, 4], [0, 1]), ['delayed', 4, 1]],
        'visitors' => [['direct', 4, 0]],
        'batch' => [['direct', 4, 0]],
        'machines' => [['direct', 4, 0]],
        'mixed' => [['direct', 4, 0]],
        'bridges' => [['direct', 2, 0]],
        'fpm' => ['rounds' => 1, 'paths' => ['direct'], 'holds' => [1], 'seconds' => 1],
        'idle' => ['rounds' => 1, 'waiters' => 8, 'seconds' => 0.8],
        'seconds' => 0.15,
        'waiting' => ['rounds' => 1, 'waiters' => [8], 'seconds' => 0.8],
        'burst' => ['rounds' => 1, 'processes' => 20],
        'names' => ['rounds' => 1, 'count' => 100],
        'redlock' => ['rounds' => 1, 'pairs' => 20, 'silent' => 5, 'seconds' => 0.15],
        'sale' => ['rounds' => 1, 'seconds' => 1],
        'memory' => 1,
        'callgrind' => ['peers' => ['limit', 'ours-once'], 'pairs' => [100, 400]],
        'against' => ['rounds' => 2, 'uncontended' => ['rounds' => 1]],
    ],
    'quick' => [
        'rounds' => 3,
        'budget' => 155,
        'pings' => 200,
        'pairs' => ['unix' => ['rounds' => 5, 'count' => 50], 'tcp' => ['rounds' => 5, 'count' => 50], 'delayed' => ['rounds' => 2, 'count' => 20]],
        'trips' => 30,
        'crowd' => [...$crowds(['direct'], [2, 16], [0, 1]), ['delayed', 16, 1]],
        'visitors' => [['direct', 16, 0]],
        'batch' => [['direct', 16, 0]],
        'machines' => [['direct', 16, 1]],
        'mixed' => [['direct', 16, 1]],
        'seconds' => 0.3,
        'waiting' => ['rounds' => 1, 'waiters' => [32], 'seconds' => 1.2],
        'burst' => ['rounds' => 1, 'processes' => 100],
        'names' => ['rounds' => 1, 'count' => 1000],
        'redlock' => ['rounds' => 1, 'pairs' => 200, 'silent' => 10, 'seconds' => 0.5],
        'sale' => ['rounds' => 1, 'seconds' => 1],
        'memory' => 3,
        'callgrind' => ['peers' => [...$counted, 'class-a'], 'pairs' => [100, 400]],
        'against' => ['rounds' => 40, 'budget' => 140, 'uncontended' => ['rounds' => 3], 'batch' => $batches, 'burst' => ['rounds' => 3], 'names' => ['rounds' => 3]],
    ],
    'full' => [
        'rounds' => 5,
        'budget' => 1660,
        'pings' => 1000,
        'pairs' => ['unix' => ['rounds' => 8, 'count' => 100], 'tcp' => ['rounds' => 8, 'count' => 100], 'delayed' => ['rounds' => 4, 'count' => 25]],
        'trips' => 50,
        'crowd' => $crowds(['direct', 'delayed'], [2, 4, 16, 64], [0, 1]),
        'visitors' => [...$crowds(['direct'], [16], [0, 1]), ['delayed', 16, 1]],
        'batch' => [['direct', 16, 0]],
        'machines' => $crowds(['direct', 'delayed'], [16], [0, 1]),
        'mixed' => $crowds(['direct', 'delayed'], [16], [0, 1]),
        'bridges' => $crowds(['direct', 'delayed'], [16], [0, 1]),
        'fpm' => ['rounds' => 5, 'paths' => ['direct', 'delayed'], 'holds' => [1], 'seconds' => 1],
        'idle' => ['rounds' => 1, 'waiters' => 64, 'seconds' => 10.8],
        'seconds' => 0.5,
        'waiting' => ['rounds' => 5, 'waiters' => [64], 'seconds' => 1.6],
        'burst' => ['rounds' => 5, 'processes' => 500],
        'names' => ['rounds' => 5, 'count' => 10000],
        'redlock' => ['rounds' => 5, 'pairs' => 500, 'silent' => 10, 'seconds' => 0.5],
        'sale' => ['rounds' => 5, 'seconds' => 1],
        'memory' => 5,
        'callgrind' => [
            'peers' => [...$counted, 'class-a', 'class-b', 'class-d', 'laravel-phpredis', 'laravel-predis', 'symfony'],
            'pairs' => [100, 400, 700],
        ],
        'against' => ['rounds' => 100, 'uncontended' => ['rounds' => 10], 'batch' => $batches],
    ],
];
