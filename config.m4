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

if test "$PHP_REDISLOCK" != "no"; then
  if test "$PHP_HIREDIS" != "yes" && test "$PHP_HIREDIS" != "no"; then
    AC_MSG_CHECKING([for hiredis in $PHP_HIREDIS])
    if test ! -r "$PHP_HIREDIS/include/hiredis/hiredis.h"; then
      AC_MSG_RESULT([no])
      AC_MSG_ERROR([$PHP_HIREDIS/include/hiredis/hiredis.h was not found: give --with-hiredis the prefix under which hiredis is installed])
    fi
    AC_MSG_RESULT([yes])
    PHP_ADD_INCLUDE([$PHP_HIREDIS/include])
    PHP_ADD_LIBRARY_WITH_PATH([hiredis], [$PHP_HIREDIS/$PHP_LIBDIR], [REDISLOCK_SHARED_LIBADD])
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
    PHP_EVAL_LIBLINE([$($PKG_CONFIG --libs hiredis)], [REDISLOCK_SHARED_LIBADD])
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

  PHP_SUBST([REDISLOCK_SHARED_LIBADD])
  PHP_NEW_EXTENSION([redislock],
    [redislock.c php_lock.c php_lock_many.c php_guard.c php_value.c php_section.c php_arguments.c php_queue.c php_object.c php_state.c php_options.c php_servers.c php_errors.c queue_core.c queue_take.c queue_exchange.c queue_names.c lock_core.c lock_release.c lock_many.c lock_wait.c lock_try.c lock_names.c cache_core.c redis_talk.c redis_quorum.c redis_pool.c redis_backlog.c redis_node.c redis_pipeline.c redis_script.c redis_scripts.c redis_error.c redis_tls.c redis_endpoint.c platform.c],
    [$ext_shared],,
    [-std=gnu11 -fvisibility=hidden -DZEND_ENABLE_STATIC_TSRMLS_CACHE=1])
  PHP_ADD_MAKEFILE_FRAGMENT
fi
