#ifndef CARDFEED_CLIBZIP_SHIM_H
#define CARDFEED_CLIBZIP_SHIM_H

// libzip of the system, as a module. Only CardFeedAnki imports it, for packages; everything it needs
// of libzip's C interface comes through here, and nothing is defined here.

#include <zip.h>

#endif
