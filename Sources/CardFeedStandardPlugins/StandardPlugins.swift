internal import CardFeedBaselines
public import CardFeedConfiguration
internal import CardFeedDating

extension PluginSet {
  /// The plugins this package ships. A program of your own passes this, or its own list, to
  /// whatever reads configurations; there is no global registry.
  public static let standard = PluginSet([BaselinesPlugin(), DatingPlugin(), SQLitePlugin()])
}
