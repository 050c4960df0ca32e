# The tests of the C core, which need no PHP: `make test-core SANITIZE=address,undefined`.
test-core:
	$(MAKE) -C $(top_srcdir)/tests/core check CC="$(CC)" SANITIZE="$(SANITIZE)"

.PHONY: test-core
