# The module for the PHP that build has made: make -f module.mk PHP=FOLDER HIREDIS=FOLDER OPENSSL=FOLDER OUT=FOLDER
#
# HIREDIS is hiredis' source, which is compiled in. OPENSSL is what build-openssl has made. OUT has then php_redislock.dll.
# ROOT is the tree whose module it is.

ROOT ?= ../../..
CC   := x86_64-w64-mingw32-gcc-win32

# 0x0601 is what PHP's own build for Windows asks for. Its functions know what C99's printf() knows; .ci/gates/26-windows.sh checks that.
flags   := -Wall -Wextra -Werror -Wno-format -Wno-format-extra-args -O1 -g -D_WIN32_WINNT=0x0601 -DCOMPILE_DL_REDISLOCK \
	-DHAVE_REDISLOCK_TLS -I$(ROOT) -I$(ROOT)/src -isystem $(OUT)/include -isystem $(OPENSSL)/include -MMD -MP
php     := $(shell cat $(PHP)/flags)
core    := $(patsubst %.c,$(OUT)/%.o,$(shell bash $(ROOT)/bin/sources core windows | grep -v /posix/))
glue    := $(patsubst %.c,$(OUT)/%.o,$(shell bash $(ROOT)/bin/sources glue))
hiredis := $(patsubst %,$(OUT)/hiredis/%.o,alloc async hiredis net read sds sockcompat)

$(OUT)/php_redislock.dll: $(core) $(glue) $(hiredis)
	$(CC) -shared -static-libgcc -o $@ $^ $(PHP)/libphp.a $(OPENSSL)/libssl.a $(OPENSSL)/libcrypto.a -lws2_32 -lbcrypt -lcrypt32

$(core): $(OUT)/%.o: $(ROOT)/%.c | $(OUT)/include
	@mkdir -p $(@D)
	$(CC) -std=gnu11 $(flags) -c -o $@ $<

$(glue): $(OUT)/%.o: $(ROOT)/%.c | $(OUT)/include
	@mkdir -p $(@D)
	$(CC) $(php) $(flags) -c -o $@ $<

# Its warnings are its authors' to look at.
$(hiredis): $(OUT)/hiredis/%.o: $(HIREDIS)/%.c
	@mkdir -p $(@D)
	$(CC) -D_WIN32_WINNT=0x0601 -O2 -w -c -o $@ $<

$(OUT)/include:
	@mkdir -p $@
	ln -s $(abspath $(HIREDIS)) $@/hiredis

-include $(core:.o=.d) $(glue:.o=.d)
