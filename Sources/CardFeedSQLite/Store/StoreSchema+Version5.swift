import CardFeed

extension StoreSchema {
  /// Version 5 keeps for how long an impression lasted; of those that are there that is not known.
  static var version5: String {
    """
    ALTER TABLE events ADD COLUMN dwell INTEGER
      CHECK (dwell IS NULL OR (kind = 2 AND dwell BETWEEN 0 AND \(Dwell.longest)))
    """
  }
}
