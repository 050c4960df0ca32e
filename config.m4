PHP_ARG_ENABLE([redislock],
  [whether to enable the redislock extension],
  [AS_HELP_STRING([--enable-redislock], [Enable the distributed lock on Redis])],
  [no])

PHP_ARG_WITH([redislock-tls],
  [whether redislock has TLS],
  [AS_HELP_STRING([--without-redislock-tls],
    [redislock: build without TLS; otherwise OpenSSL is used where pkg-config finds it])],
  [yes],
  [no])

PHP_ARG_WITH([hiredis],
  [for the hiredis library],
  [AS_HELP_STRING([--with-hiredis@<:@=DIR@:>@],
    [redislock: where hiredis is installed; without DIR, pkg-config is asked])],
  [yes],
  [no])

PHP_ARG_WITH([hiredis-static],
  [whether redislock has hiredis inside],
  [AS_HELP_STRING([--with-hiredis-static],
    [redislock: link libhiredis.a (GNU ld or lld), so that no hiredis is needed where it runs])],
  [no],
  [no])

dnl For those who change the code: see src/invariant.h.
PHP_ARG_ENABLE([redislock-invariants],
  [whether redislock checks its invariants],
  [AS_HELP_STRING([--enable-redislock-invariants],
    [redislock: for its developers: what does not hold aborts the process])],
  [no],
  [no])

if test "$PHP_REDISLOCK" != "no"; then
  redislock_hiredis=hiredis
  if test "$PHP_HIREDIS_STATIC" != "no"; then
    redislock_hiredis=:libhiredis.a
    dnl Another extension may bring a hiredis of its own: neither must take the other's functions.
    REDISLOCK_SHARED_LIBADD="-Wl,--exclude-libs,libhiredis.a $REDISLOCK_SHARED_LIBADD"
  fi
  if test "$PHP_HIREDIS" != "yes" && test "$PHP_HIREDIS" != "no"; then
    AC_MSG_CHECKING([for hiredis in $PHP_HIREDIS])
    if test ! -r "$PHP_HIREDIS/include/hiredis/hiredis.h"; then
      AC_MSG_RESULT([no])
      AC_MSG_ERROR([$PHP_HIREDIS/include/hiredis/hiredis.h was not found: give --with-hiredis the prefix under which hiredis is installed])
    fi
    AC_MSG_RESULT([yes])
    PHP_ADD_INCLUDE([$PHP_HIREDIS/include])
    PHP_ADD_LIBRARY_WITH_PATH([$redislock_hiredis], [$PHP_HIREDIS/$PHP_LIBDIR], [REDISLOCK_SHARED_LIBADD])
  else
    AC_PATH_PROG([PKG_CONFIG], [pkg-config], [no])
    AC_MSG_CHECKING([for hiredis by pkg-config])
    if test "$PKG_CONFIG" = "no" || ! $PKG_CONFIG --exists hiredis; then
      AC_MSG_RESULT([no])
      AC_MSG_ERROR([hiredis was not found. Install its development package and pkg-config:
    Debian, Ubuntu:   apt install libhiredis-dev pkg-config
    Fedora, RHEL:     dnf install hiredis-devel pkgconf
    Alpine:           apk add hiredis-dev pkgconf
    macOS:            brew install hiredis pkg-config
or say where it is: --with-hiredis=DIR])
    fi
    if ! $PKG_CONFIG --atleast-version=0.14 hiredis; then
      AC_MSG_RESULT([no])
      AC_MSG_ERROR([hiredis 0.14 or newer is needed, this is $($PKG_CONFIG --modversion hiredis)])
    fi
    AC_MSG_RESULT([$($PKG_CONFIG --modversion hiredis)])
    dnl hiredis.pc of some versions names .../include/hiredis; we include <hiredis/hiredis.h>.
    PHP_EVAL_INCLINE([$($PKG_CONFIG --cflags hiredis)])
    PHP_EVAL_LIBLINE([$($PKG_CONFIG --libs hiredis | sed "s/-lhiredis/-l$redislock_hiredis/")], [REDISLOCK_SHARED_LIBADD])
  fi

  if test "$PHP_REDISLOCK_TLS" != "no"; then
    AC_PATH_PROG([PKG_CONFIG], [pkg-config], [no])
    AC_MSG_CHECKING([for OpenSSL 1.1.1 or newer, for TLS])
    if test "$PKG_CONFIG" != "no" && $PKG_CONFIG --atleast-version=1.1.1 openssl; then
      AC_MSG_RESULT([$($PKG_CONFIG --modversion openssl)])
      PHP_EVAL_INCLINE([$($PKG_CONFIG --cflags openssl)])
      PHP_EVAL_LIBLINE([$($PKG_CONFIG --libs openssl)], [REDISLOCK_SHARED_LIBADD])
      AC_DEFINE([HAVE_REDISLOCK_TLS], [1], [Whether redislock has TLS])
    else
      AC_MSG_RESULT([no: rediss:// will be refused])
    fi
  fi

  dnl For the thread that renews leases. Since glibc 2.34 the library is part of libc.
  PHP_ADD_LIBRARY([pthread],, [REDISLOCK_SHARED_LIBADD])

  dnl Some 32-bit processors have no instructions for atomics of 64 bits. A library of the compiler's has them then.
  AC_MSG_CHECKING([for the library of 64-bit atomics])
  m4_define([redislock_atomics], [AC_LANG_PROGRAM([[
    #include <stdatomic.h>
    static atomic_llong number;
  ]], [[
    long long expected = 3;
    atomic_store(&number, 1);
    atomic_fetch_add(&number, 2);
    return !atomic_compare_exchange_strong(&number, &expected, 4) || atomic_load(&number) != 4;
  ]])])
  redislock_save_libs=$LIBS
  AC_LINK_IFELSE([redislock_atomics], [AC_MSG_RESULT([none is needed])], [
    LIBS="$LIBS -latomic"
    AC_LINK_IFELSE([redislock_atomics], [
      AC_MSG_RESULT([libatomic])
      PHP_ADD_LIBRARY([atomic],, [REDISLOCK_SHARED_LIBADD])
    ], [
      AC_MSG_RESULT([no])
      AC_MSG_ERROR([programs with C11 atomics of 64 bits do not link, also not with libatomic: install the libatomic of your compiler])
    ])
  ])
  LIBS=$redislock_save_libs
  PHP_SUBST([REDISLOCK_SHARED_LIBADD])

  redislock_invariants=
  if test "$PHP_REDISLOCK_INVARIANTS" != "no"; then
    redislock_invariants=-DREDISLOCK_INVARIANTS
  fi
  PHP_NEW_EXTENSION([redislock],
    m4_normalize([
      redislock.c
      lock_core.c
      src/cache/cache.c
      src/heap.c
      src/invariant.c
      src/lock/acquire.c
      src/lock/all.c
      src/lock/attempt.c
      src/lock/batch.c
      src/lock/batch_size.c
      src/lock/ends.c
      src/lock/enter.c
      src/lock/extend.c
      src/lock/fence.c
      src/lock/groups.c
      src/lock/holder.c
      src/lock/keys.c
      src/lock/lease.c
      src/lock/local/entry.c
      src/lock/local/host.c
      src/lock/local/line.c
      src/lock/local/succession.c
      src/lock/local/turn.c
      src/lock/local/watch.c
      src/lock/owner.c
      src/lock/pass.c
      src/lock/query.c
      src/lock/release.c
      src/lock/rename.c
      src/lock/renewal.c
      src/lock/renewal_group.c
      src/lock/renewal_table.c
      src/lock/renewer.c
      src/lock/replicas.c
      src/lock/try.c
      src/lock/undo.c
      src/lock/wait.c
      src/metrics/layout.c
      src/metrics/metrics.c
      src/metrics/read.c
      src/metrics/told.c
      src/php/arguments.c
      src/php/call.c
      src/php/errors.c
      src/php/globals.c
      src/php/ini.c
      src/php/metrics.c
      src/php/names.c
      src/php/object.c
      src/php/options.c
      src/php/redislock/acquire.c
      src/php/redislock/all.c
      src/php/redislock/auto_release.c
      src/php/redislock/cache.c
      src/php/redislock/cache_value.c
      src/php/redislock/call.c
      src/php/redislock/errors.c
      src/php/redislock/events.c
      src/php/redislock/fibers.c
      src/php/redislock/hold.c
      src/php/redislock/listener.c
      src/php/redislock/local.c
      src/php/redislock/lock.c
      src/php/redislock/notice.c
      src/php/redislock/owner.c
      src/php/redislock/release.c
      src/php/redislock/section.c
      src/php/redislock/slow.c
      src/php/redislock/state.c
      src/php/redisqueue/queue.c
      src/php/server_list.c
      src/php/servers.c
      src/php/settings.c
      src/platform/authorities.c
      src/platform/futex.c
      src/platform/held.c
      src/platform/platform.c
      src/platform/posix/authorities.c
      src/platform/posix/platform.c
      src/platform/posix/sockets.c
      src/platform/posix/threads.c
      src/platform/presence.c
      src/platform/segment.c
      src/queue/keys.c
      src/queue/op.c
      src/queue/queue.c
      src/queue/take.c
      src/queue/tasks.c
      src/redis/backlog.c
      src/redis/blpop.c
      src/redis/clock.c
      src/redis/cluster.c
      src/redis/connection.c
      src/redis/endpoint.c
      src/redis/error.c
      src/redis/hosts.c
      src/redis/naming.c
      src/redis/pipeline.c
      src/redis/pool.c
      src/redis/repeat.c
      src/redis/request.c
      src/redis/scripts.c
      src/redis/sentinel.c
      src/redis/session.c
      src/redis/tls.c
    ]),
    [$ext_shared],,
    [-std=gnu11 -pthread -fvisibility=hidden -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1 $redislock_invariants -I@ext_srcdir@/src])
  PHP_ADD_BUILD_DIR(m4_normalize([
    $ext_builddir/src
    $ext_builddir/src/cache
    $ext_builddir/src/lock
    $ext_builddir/src/lock/local
    $ext_builddir/src/metrics
    $ext_builddir/src/php
    $ext_builddir/src/php/redislock
    $ext_builddir/src/php/redisqueue
    $ext_builddir/src/platform
    $ext_builddir/src/platform/posix
    $ext_builddir/src/queue
    $ext_builddir/src/redis
  ]))
  PHP_ADD_MAKEFILE_FRAGMENT
fi
