<?php

namespace Redislock\Laravel\Connections;

use Illuminate\Redis\Connections\Connection;
use Illuminate\Redis\Connections\PhpRedisConnection;
use Predis\Client as Predis;
use Predis\Command\Factory;
use Predis\Command\Processor\KeyPrefixProcessor;
use Redis;
use RedisCluster;

/** What an application told a client after it was made from its configuration: a tenant's prefix, another database. */
final class OpenConnection
{
    /** @throws UnsupportedConnection */
    public static function server(Connection $connection, Server $configured): Server
    {
        $client = $connection->client();
        if ($connection instanceof PhpRedisConnection && ($client instanceof Redis || $client instanceof RedisCluster)) {
            $database = $client instanceof Redis ? $client->getDbNum() : false;
            $packs = $connection->serialized() || $connection->compressed();

            return $configured->changed($database === false ? null : $database, (string) $client->getOption(Redis::OPT_PREFIX), $packs);
        }
        $commands = $client instanceof Predis ? $client->getCommandFactory() : null;
        if ($commands instanceof Factory) {
            return $configured->changed(null, self::prefix($commands, $connection->getName()), $configured->packs);
        }

        return $configured;
    }

    /** @throws UnsupportedConnection */
    private static function prefix(Factory $commands, string $name): string
    {
        $processor = $commands->getProcessor();
        if ($processor === null) {
            return '';
        }

        return $processor instanceof KeyPrefixProcessor
            ? $processor->getPrefix()
            : throw new UnsupportedConnection("$name.prefix", 'what '.$processor::class.' does with a key is not known');
    }
}
