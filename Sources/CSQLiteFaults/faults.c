#include "faults.h"

#include <sqlite3.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static _Atomic int armed_kinds;
static _Atomic int64_t first_failure;
static _Atomic int64_t failures_wanted;
static _Atomic int64_t calls;
static _Atomic int64_t failures;
static _Atomic int armed_result;
static _Atomic int armed_tears;

// The file of the layer below follows directly behind.
typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
} FaultFile;

static sqlite3_vfs *below;

static int fails(CFFaultKind kind) {
  if ((atomic_load(&armed_kinds) & kind) == 0) return 0;
  int64_t call = atomic_fetch_add(&calls, 1) + 1;
  int64_t first = atomic_load(&first_failure);
  if (call < first || call >= first + atomic_load(&failures_wanted)) return 0;
  atomic_fetch_add(&failures, 1);
  return 1;
}

static sqlite3_file *real(sqlite3_file *file) { return ((FaultFile *)file)->real; }

static int fault_close(sqlite3_file *file) {
  int result = real(file)->pMethods ? real(file)->pMethods->xClose(real(file)) : SQLITE_OK;
  return result;
}

static int fault_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (fails(CF_FAULT_READ)) return atomic_load(&armed_result);
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int fault_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (fails(CF_FAULT_WRITE)) {
    if (atomic_load(&armed_tears) && count > 1) {
      real(file)->pMethods->xWrite(real(file), bytes, count / 2, offset);
    }
    return atomic_load(&armed_result);
  }
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int fault_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (fails(CF_FAULT_TRUNCATE)) return atomic_load(&armed_result);
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int fault_sync(sqlite3_file *file, int flags) {
  if (fails(CF_FAULT_SYNC)) return atomic_load(&armed_result);
  return real(file)->pMethods->xSync(real(file), flags);
}

static int fault_file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int fault_lock(sqlite3_file *file, int level) {
  if (fails(CF_FAULT_LOCK)) return atomic_load(&armed_result);
  return real(file)->pMethods->xLock(real(file), level);
}

static int fault_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int fault_check_reserved_lock(sqlite3_file *file, int *is_reserved) {
  return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}

static int fault_file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int fault_sector_size(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int fault_device_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int fault_shm_map(
  sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extends, memory);
}

static int fault_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  // Letting go of a lock never fails.
  if ((flags & SQLITE_SHM_LOCK) && fails(CF_FAULT_LOCK)) return atomic_load(&armed_result);
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void fault_shm_barrier(sqlite3_file *file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

static int fault_shm_unmap(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

// Version 2: with shared memory, which a write-ahead log needs; without memory-mapped reads.
static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = fault_close,
  .xRead = fault_read,
  .xWrite = fault_write,
  .xTruncate = fault_truncate,
  .xSync = fault_sync,
  .xFileSize = fault_file_size,
  .xLock = fault_lock,
  .xUnlock = fault_unlock,
  .xCheckReservedLock = fault_check_reserved_lock,
  .xFileControl = fault_file_control,
  .xSectorSize = fault_sector_size,
  .xDeviceCharacteristics = fault_device_characteristics,
  .xShmMap = fault_shm_map,
  .xShmLock = fault_shm_lock,
  .xShmBarrier = fault_shm_barrier,
  .xShmUnmap = fault_shm_unmap,
};

static int fault_open(
  sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
  (void)vfs;
  FaultFile *opened = (FaultFile *)file;
  opened->real = (sqlite3_file *)&opened[1];
  memset(opened->real, 0, (size_t)below->szOsFile);
  int result = below->xOpen(below, name, opened->real, flags, out_flags);
  // SQLite closes a file whose methods are set, also when it could not be opened.
  opened->base.pMethods = opened->real->pMethods ? &methods : NULL;
  return result;
}

static sqlite3_vfs layer;

const char *cf_faults_register(void) {
  if (below) return layer.zName;
  sqlite3_vfs *found = sqlite3_vfs_find(NULL);
  if (!found) return NULL;
  // Everything but opening is the layer's below: it does not look at the structure it is given.
  layer = *found;
  layer.pNext = NULL;
  layer.zName = "cardfeed-faults";
  layer.szOsFile = (int)sizeof(FaultFile) + found->szOsFile;
  layer.xOpen = fault_open;
  below = found;
  if (sqlite3_vfs_register(&layer, 0) != SQLITE_OK) {
    below = NULL;
    return NULL;
  }
  return layer.zName;
}

void cf_faults_arm(int kinds, int64_t k, int64_t times, int result, int tears) {
  atomic_store(&armed_kinds, 0);
  atomic_store(&calls, 0);
  atomic_store(&failures, 0);
  atomic_store(&first_failure, k);
  atomic_store(&failures_wanted, times);
  atomic_store(&armed_result, result);
  atomic_store(&armed_tears, tears);
  atomic_store(&armed_kinds, kinds);
}

int64_t cf_faults_disarm(void) {
  atomic_store(&armed_kinds, 0);
  return atomic_load(&failures);
}

int64_t cf_faults_calls(void) { return atomic_load(&calls); }
