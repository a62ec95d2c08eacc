#ifndef CARDFEED_CZSTD_SHIM_H
#define CARDFEED_CZSTD_SHIM_H

// Zstandard of the system, as a module. Only CardFeedAnki imports it, for the packages of Anki;
// everything it needs of libzstd's C interface comes through here, and nothing is defined here:
// what Swift cannot import is written down there instead.

#include <zstd.h>

#endif
