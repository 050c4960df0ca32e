# The tests of the C core, which need no PHP: `make test-core SANITIZE=address,undefined`.
test-core:
	$(MAKE) -C $(top_srcdir)/tests/core check CC="$(CC)" SANITIZE="$(SANITIZE)"

# PHP's own rule would make this header anew where the stub happens to be newer, and download a parser for it. We have
# bin/update-arginfo for that; a build takes the header as it is.
$(srcdir)/redislock_arginfo.h: ;

.PHONY: test-core
