#ifndef CARDFEED_CSQLITE_SHIM_H
#define CARDFEED_CSQLITE_SHIM_H

// SQLite 3 of the system, as a module. Only CardFeedSQLite imports it; everything it needs of
// SQLite's C interface comes through here, and nothing is defined here: macros that Swift cannot
// import are written down in CardFeedSQLite instead.

#include <sqlite3.h>

#endif
