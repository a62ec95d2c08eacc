#ifndef CARDFEED_CLIBPQ_SHIM_H
#define CARDFEED_CLIBPQ_SHIM_H

// PostgreSQL's C client of the system, as a module. Only the plugin with the store over PostgreSQL
// imports it, under its trait; everything it needs of libpq comes through here, and nothing is
// defined here: macros that Swift cannot import are written down in the plugin instead.

#include <libpq-fe.h>

#endif
