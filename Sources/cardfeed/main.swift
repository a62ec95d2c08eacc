// Closures written in this file would be bound to the main actor, so everything else lives in
// Entry.swift.
await Entry.run()
