#ifndef CARDFEED_CZSTD_SHIM_H
#define CARDFEED_CZSTD_SHIM_H

// Zstandard of the system, as a module. Only CardFeedAnki imports it, for packages; everything it
// needs of libzstd's C interface comes through here, and nothing is defined here.

#include <zstd.h>

#endif
