<?php
declare(strict_types=1);

namespace Redislock\Cli;

const DONE = 0;
const NO = 1;
const USAGE = 2;
const TROUBLE = 3;

const HELP = <<<'TEXT'
    Usage: redislock [options] COMMAND

      ls [PATTERN]           the locks that are held: owner, age, lease that is left, whether it is renewed, waiters
      show NAME              one lock, with all that is known of it, and who waits for it
      watch [PATTERN]        ls, again and again, until Ctrl-C
      release NAME --force   takes the lock from whoever holds it, and hands it to the next in the queue
      ping                   can this Redis be locked on: round trip, server, settings that endanger locks
      doctor                 ping and all the rest: latency, clocks, rights, versions, limits, leftovers; and what to do
      metrics                what became of locks on this machine, for Prometheus: docs/monitoring.md

    A NAME is what the application passes to lock(), without the prefix. A PATTERN is Redis' own: * ? [abc].

    Options
      --server=DSN           redis://[user:password@]host[:port][/db], rediss://…, valkey://…, valkeys://…,
                             unix:///path[?db=n], redis-sentinel://[user:password@]host[:port][,…]/master[/db],
                             rediss-sentinel://…, redis-cluster://[user:password@]host[:port][,…], rediss-cluster://…,
                             or env:NAME (an environment variable, so that no password is seen); several, with spaces
                             between, are asked one after another; default: redislock.servers in php.ini
      --prefix=PREFIX        what stands before every name; default: redislock.prefix in php.ini
      --tls=NAME=VALUE       for TLS, as the option `tls` of RedisLock, once for each: cafile, capath, local_cert,
                             local_pk, peer_name, verify_peer=0, verify_peer_name=0
      --sentinel-username=USER, --sentinel-password=env:NAME
                             the login at the sentinels; that at the master stands in --server
      --sentinel-tls=1 or 0  whether the sentinels are asked over TLS; default: as the master, by the scheme
      --json                 for programs; of watch, a line each time; docs/operations.md lists the members
      --strict               of ping and doctor: a note counts as a warning does; of doctor, what was not checked as unknown
      --user=NAME            of doctor: whose rights are checked; default: the user that --server logs in
      --uid=USER             of metrics: whose processes, by number or name; of others, for root; default: who runs this
      --openmetrics          of metrics: OpenMetrics 1.0, and not the text format 0.0.4
      --interval=SECONDS     of watch; default 1
      --count=N              of watch: ends after N times
      --help, --version

    Exit status
      0   done
      1   no: nobody holds the lock (show, release); nothing was counted (metrics); a warning: it can be locked on, but
          something endangers locks (ping)
      2   the command line is wrong
      3   Redis cannot be reached, refuses (ping: also a lock), or answers what nobody asked for; the numbers cannot be read
          (metrics)

    Exit status of doctor, as monitoring plugins have it
      0   OK: there may be notes
      1   WARNING: locks can be had, but something endangers them or refuses some
      2   CRITICAL: no lock can be had, or not for all names; or locks are lost in silence
      3   UNKNOWN: the command line is wrong, or what matters most could not be checked

    Examples
      redislock ls
      redislock ls 'stock:*' --json
      redislock release stock:SKU0001 --force
      redislock doctor --user=shop
      sudo -u www-data redislock metrics
      redislock --server=redis-sentinel://s1,s2,s3/mymaster ping
      redislock --server=redis-cluster://r1,r2,r3 ping
      REDIS_URL=rediss://ops:secret@redis.example.com redislock --server=env:REDIS_URL --tls=cafile=/etc/ca.pem ping

    TEXT;
