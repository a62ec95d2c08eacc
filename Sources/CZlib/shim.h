#ifndef CARDFEED_CZLIB_SHIM_H
#define CARDFEED_CZLIB_SHIM_H

// The system's zlib, as a module. Only CardFeedExperiments imports it, for data sets that are kept as
// gzip files; everything it needs of zlib's C interface comes through here, and nothing is defined
// here.

#include <zlib.h>

#endif
