#ifndef CARDFEED_CMICROHTTPD_SHIM_H
#define CARDFEED_CMICROHTTPD_SHIM_H

// libmicrohttpd of the system, as a module. Only CardFeedHTTP imports it; everything it needs of the
// library's C interface comes through here.

#include <microhttpd.h>

#endif
