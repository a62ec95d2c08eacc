#ifndef CARDFEED_CSQLITE_SHIM_H
#define CARDFEED_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
