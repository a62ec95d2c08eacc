import CSQLite
import Glibc

/// A layer below SQLite in which each sync takes longer by a fixed time, to show on any machine what
/// a slow disk does. For measurements only; it is never taken away again.
///
/// The files are those of the machine's own layer, with one function replaced. No state is shared:
/// each open file's table of functions is followed by what its sync has to know.
enum SlowDisk {
  /// What lies behind the table of functions that SQLite sees.
  fileprivate struct Below {
    let methods: UnsafePointer<sqlite3_io_methods>
    let delayMicroseconds: UInt32
  }

  /// What the layer has to know to open files.
  fileprivate struct Layer {
    let below: UnsafeMutablePointer<sqlite3_vfs>
    let delayMicroseconds: UInt32
  }

  /// Registers a layer and returns its name; nil if SQLite refuses.
  static func register(delayMicroseconds: UInt32) -> String? {
    guard let below = sqlite3_vfs_find(nil) else { return nil }
    let name = "cardfeed-slow-\(delayMicroseconds)"
    if sqlite3_vfs_find(name) != nil { return name }
    let layer = UnsafeMutablePointer<Layer>.allocate(capacity: 1)
    layer.initialize(to: Layer(below: below, delayMicroseconds: delayMicroseconds))
    let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    // All other functions look at what they are given as the layer below made it.
    vfs.initialize(to: below.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.zName = UnsafePointer(strdup(name))
    vfs.pointee.pAppData = UnsafeMutableRawPointer(layer)
    vfs.pointee.xOpen = openFile
    return sqlite3_vfs_register(vfs, 0) == SQLITE_OK ? name : nil
  }

  fileprivate static var belowOffset: Int { MemoryLayout<sqlite3_io_methods>.stride }

  fileprivate static func below(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Below? {
    file?.pointee.pMethods.map { methods in
      UnsafeRawPointer(methods).advanced(by: belowOffset).assumingMemoryBound(to: Below.self)
        .pointee
    }
  }
}

// Named functions, because C calls them.

private func openFile(
  _ vfs: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?,
  _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
  _ outFlags: UnsafeMutablePointer<Int32>?
) -> Int32 {
  guard let vfs, let file,
    let layer = vfs.pointee.pAppData?.assumingMemoryBound(to: SlowDisk.Layer.self).pointee
  else { return SQLITE_CANTOPEN }
  // The machine's layer keeps what it needs of itself in its own `pAppData`.
  let result = layer.below.pointee.xOpen(layer.below, name, file, flags, outFlags)
  guard result == SQLITE_OK, let methods = file.pointee.pMethods else { return result }
  let table = UnsafeMutableRawPointer.allocate(
    byteCount: SlowDisk.belowOffset + MemoryLayout<SlowDisk.Below>.stride,
    alignment: MemoryLayout<sqlite3_io_methods>.alignment)
  var changed = methods.pointee
  changed.xSync = syncFile
  changed.xClose = closeFile
  let functions = table.initializeMemory(as: sqlite3_io_methods.self, to: changed)
  table.advanced(by: SlowDisk.belowOffset).initializeMemory(
    as: SlowDisk.Below.self,
    to: SlowDisk.Below(methods: methods, delayMicroseconds: layer.delayMicroseconds))
  file.pointee.pMethods = UnsafePointer(functions)
  return result
}

private func syncFile(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
  guard let below = SlowDisk.below(file) else { return SQLITE_MISUSE }
  usleep(below.delayMicroseconds)
  return below.methods.pointee.xSync(file, flags)
}

private func closeFile(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
  guard let file, let below = SlowDisk.below(file) else { return SQLITE_MISUSE }
  let table = UnsafeMutableRawPointer(mutating: file.pointee.pMethods)
  // Closing looks at the functions of the machine's own layer.
  file.pointee.pMethods = below.methods
  defer { table?.deallocate() }
  return below.methods.pointee.xClose(file)
}
