#include <ws2tcpip.h>
