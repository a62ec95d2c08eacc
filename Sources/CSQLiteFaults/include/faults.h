#ifndef CARDFEED_CSQLITE_FAULTS_H
#define CARDFEED_CSQLITE_FAULTS_H

// A layer between SQLite and the operating system that fails on demand, for tests only.
//
// It lives under the name of its own and is used by connections that ask for it. Tests call it;
// no library of this package may import it, and it must never import anything but SQLite and C.
// Counters and the armed fault belong to the process: use it in one test at a time.

#include <stdint.h>

/// What fails.
typedef enum {
  CF_FAULT_WRITE = 1,
  CF_FAULT_SYNC = 2,
  CF_FAULT_LOCK = 4,
  CF_FAULT_READ = 8,
  CF_FAULT_TRUNCATE = 16,
} CFFaultKind;

/// Registers the layer once and returns its name, or null if SQLite refuses.
const char *cf_faults_register(void);

/// From the k-th call of these kinds on (1 is the next one), `times` calls fail with an SQLite
/// result code; the rest work again. A failing write may have written half of its bytes.
void cf_faults_arm(int kinds, int64_t k, int64_t times, int result, int tears);

/// Nothing fails any more. Returns how many calls failed since it was armed.
int64_t cf_faults_disarm(void);

/// How many calls of the armed kinds there were since it was armed, failed ones included.
int64_t cf_faults_calls(void);

#endif
