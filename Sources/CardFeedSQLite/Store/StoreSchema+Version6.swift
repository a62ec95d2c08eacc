extension StoreSchema {
  /// Version 6 keeps of a rewind, a block, a report and an unmatch which match ended with it, so that
  /// whoever follows the log can tell of it; of those that are there it is not known.
  static var version6: String {
    """
    ALTER TABLE events ADD COLUMN ended_match INTEGER
      CHECK (ended_match IS NULL OR (kind IN (4, 5, 6, 10) AND ended_match < position))
    """
  }
}
