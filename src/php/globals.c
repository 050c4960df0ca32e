/* SPDX-License-Identifier: MIT
 *
 * php/globals: see php/globals.h.
 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "php/globals.h"

ZEND_DECLARE_MODULE_GLOBALS(redislock)

#if defined(ZTS) && defined(COMPILE_DL_REDISLOCK)
ZEND_TSRMLS_CACHE_DEFINE()
#endif
