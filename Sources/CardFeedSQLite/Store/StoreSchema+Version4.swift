extension StoreSchema {
  /// Version 4 knows when what is kept of a card was last replaced by something else. Of the cards
  /// that are there that is not known, which 0 stands for.
  static var version4: String {
    "ALTER TABLE cards ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0"
  }
}
