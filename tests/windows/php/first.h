/*
 * Read in front of all else where PHP, or a module, is compiled for Windows by mingw-w64: what PHP takes for granted of
 * Microsoft's compiler, and what it defines itself.
 */
#include <_mingw.h>

#define __assume(condition) ((condition) ? (void)0 : __builtin_unreachable())

/* PHP's headers define pid_t, struct timezone and nanosleep(); these tell mingw-w64's that it is done. */
#define _PID_T_
#define _TIMEZONE_DEFINED
#define WIN_PTHREADS_TIME_H

/* mingw-w64 of 2022 lacks it. */
#ifndef ERROR_DIRECTORY_NOT_SUPPORTED
#define ERROR_DIRECTORY_NOT_SUPPORTED 336L
#endif
