# The tests of the C core, which need no PHP: `make test-core SANITIZE=address,undefined`.
test-core:
	$(MAKE) -C $(top_srcdir)/tests/core check CC="$(CC)" SANITIZE="$(SANITIZE)"

# PHP's own rule would make these headers anew where a stub happens to be newer, and download a parser for it. We have
# bin/update-arginfo for that; a build takes the headers as they are.
$(srcdir)/src/php/redislock/redislock_arginfo.h $(srcdir)/src/php/redisqueue/redisqueue_arginfo.h: ;

.PHONY: test-core
