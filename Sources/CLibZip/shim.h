#ifndef CARDFEED_CLIBZIP_SHIM_H
#define CARDFEED_CLIBZIP_SHIM_H

// libzip of the system, as a module. Only CardFeedAnki imports it, for the packages of Anki;
// everything it needs of libzip's C interface comes through here, and nothing is defined here:
// what Swift cannot import is written down there instead.

#include <zip.h>

#endif
