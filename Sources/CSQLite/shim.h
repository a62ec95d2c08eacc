#ifndef CARDFEED_CSQLITE_SHIM_H
#define CARDFEED_CSQLITE_SHIM_H

// SQLite 3 of the system, as a module. Only CardFeedSQLite, and CardFeedAnki for its files, import it;
// everything they need of SQLite's C interface comes through here, and nothing is defined here:
// macros that Swift cannot import are written down there instead.

#include <sqlite3.h>

#endif
