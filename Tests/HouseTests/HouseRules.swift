/// What each target may import, and which type introduces it.
///
/// Arrows point one way: `cardfeed → CardFeedCommandLine → CardFeedExperiments →
/// CardFeedConfiguration → CardFeed → CardFeedStack`. Plugins know the engine and the registration;
/// of the sources only `CardFeedStandardPlugins` knows plugins, and only `cardfeed` knows that.
struct HouseRules: Sendable {
  /// One target's rules.
  struct Rule: Sendable {
    /// Modules it may import beside the standard library.
    var imports: Set<String>
    /// The type whose comment introduces the folder when it has no README.
    var mainType: String?

    init(_ imports: Set<String>, mainType: String? = nil) {
      self.imports = imports
      self.mainType = mainType
    }
  }

  /// The C library of each platform: one of them is imported, under `#if canImport`.
  static let platform: Set = ["Glibc", "Musl", "Darwin"]

  /// Modules of `Plugins/`, found by their folders.
  let pluginModules: Set<String>

  init(tree: PackageTree) {
    pluginModules = Set(tree.folders(in: "Plugins").map(Self.moduleName))
  }

  /// `Sources/CardFeed` is the module `CardFeed`, `Plugins/Dating` the module `CardFeedDating`.
  static func moduleName(ofFolder folder: PackageTree.Path) -> String {
    let name = String(folder.split(separator: "/").last ?? "")
    return folder.hasPrefix("Plugins/") ? "CardFeed\(name)" : name
  }

  /// Folders of `Sources/` that hold no Swift; they import nothing and may be imported as below.
  static let modulesInC: Set = [
    "CAllocationCount", "CHNSW", "CLibPQ", "CLibZip", "CMicroHTTPD", "COpenBLAS", "CSQLite",
    "CSQLiteFaults", "CTerminal", "CVectorScan", "CXGBoost", "CZlib", "CZstd",
  ]

  /// The targets that may name a plugin.
  static let knowPlugins: Set = ["CardFeedStandardPlugins"]

  /// The rule of a module, or nil if the table does not know it.
  func rule(for module: String) -> Rule? {
    if pluginModules.contains(module) { return Self.anyPlugin(module) }
    switch module {
    case "CardFeedStack":
      return Rule([], mainType: "CardStack")
    case "CardFeed":
      return Rule(Self.platform.union(["CardFeedStack"]), mainType: "FeedEngine")
    case "CardFeedCalendar":
      return Rule(Self.platform.union(["CardFeed"]), mainType: "ZoneRules")
    case "CardFeedConfiguration":
      return Rule(Self.platform.union(["CardFeed"]), mainType: "FeedConfiguration")
    case "CardFeedEventSinks":
      return Rule(
        Self.platform.union(["CardFeed", "CardFeedConfiguration"]),
        mainType: "ServerSentEventSink")
    case "CardFeedHTTP":
      return Rule(
        Self.platform.union(["CMicroHTTPD", "Synchronization"]), mainType: "HTTPServer")
    case "CardFeedServer":
      return Rule(
        Self.platform.union([
          "CardFeed", "CardFeedConfiguration", "CardFeedEventSinks", "CardFeedHTTP",
          "CardFeedLayout", "Synchronization",
        ]), mainType: "FeedService")
    case "CardFeedSQLite":
      return Rule(
        Self.platform.union(["CardFeed", "CSQLite", "Dispatch"]), mainType: "SQLiteStore")
    case "CardFeedAnki":
      return Rule(
        Self.platform.union([
          "CardFeed", "CardFeedConfiguration", "CLibZip", "CSQLite", "CZstd",
        ]),
        mainType: "AnkiCollection")
    case "CardFeedTwoSidedMarket":
      return Rule(Self.platform, mainType: "TwoSidedMarket")
    case "CardFeedLayout":
      return Rule(Self.platform.union(["CardFeedStack"]), mainType: "LayoutPreset")
    case "CardFeedTerminal":
      return Rule(Self.platform.union(["CardFeedLayout", "CTerminal"]), mainType: "PileScene")
    case "CardFeedDiversity":
      return Rule(Self.platform, mainType: "MarginalRelevance")
    case "CardFeedOnlineLearning":
      return Rule(Self.platform, mainType: "FTRLProximal")
    case "CardFeedVectorFiles":
      return Rule(
        Self.platform.union(["CardFeed", "CardFeedConfiguration"]), mainType: "VectorModel")
    case "CardFeedPsychometrics":
      return Rule(Self.platform, mainType: "ItemCalibration")
    case "CardFeedRecommenders":
      return Rule(
        Self.platform.union(["COpenBLAS", "CVectorScan", "Dispatch", "Synchronization"]),
        mainType: "Recommender")
    case "CardFeedSpacedRepetition":
      return Rule(Self.platform, mainType: "MemoryModel")
    case "CardFeedVectorIndex":
      return Rule(
        Self.platform.union(["CHNSW", "CVectorScan", "Synchronization"]), mainType: "VectorIndex")
    case "CHNSW":
      return Rule(["CVectorScan"])
    case "CSQLiteFaults":
      return Rule(["CSQLite"])
    case "CardFeedTesting":
      return Rule(["CardFeed", "CardFeedStack"], mainType: "FeedStoreConformance")
    case "CardFeedExperiments":
      return Rule(
        Self.platform.union([
          "CardFeed", "CardFeedConfiguration", "CardFeedDiversity", "CardFeedOnlineLearning",
          "CardFeedPsychometrics", "CardFeedRecommenders", "CardFeedSpacedRepetition",
          "CardFeedTwoSidedMarket", "CardFeedVectorIndex", "CZlib", "Synchronization",
        ]),
        mainType: "ExperimentRunner")
    case "CardFeedStandardPlugins":
      return Rule(
        pluginModules.union(["CardFeed", "CardFeedConfiguration", "CardFeedSQLite"]),
        mainType: "PluginSet")
    case "CardFeedCommandLine":
      return Rule(
        Self.platform.union([
          "CardFeedStack", "CardFeed", "CardFeedAnki", "CardFeedConfiguration",
          "CardFeedDiversity", "CardFeedExperiments", "CardFeedHTTP", "CardFeedLayout",
          "CardFeedOnlineLearning", "CardFeedServer", "CardFeedTerminal", "CardFeedVectorFiles",
          "Synchronization",
        ]), mainType: "Tool")
    case "cardfeed":
      return Rule(
        Self.platform.union([
          "CardFeedCommandLine", "CardFeedConfiguration", "CardFeedStandardPlugins",
          "CAllocationCount",
        ]), mainType: "Entry")
    default:
      return Self.modulesInC.contains(module) ? Rule([]) : nil
    }
  }

  /// Plugins that stand on a library of their own.
  static let librariesOfPlugins: [String: Set<String>] = [
    "CardFeedBandits": ["CardFeedOnlineLearning"],
    "CardFeedBatchModels": ["CardFeedVectorFiles"],
    "CardFeedCollaborativeFiltering": ["CardFeedRecommenders", "Dispatch"],
    "CardFeedDating": ["CardFeedDiversity", "CardFeedTwoSidedMarket"],
    "CardFeedGradientBoosting": ["CXGBoost"],
    "CardFeedPostgres": ["CLibPQ", "Dispatch"],
    "CardFeedQuiz": [
      "CardFeedDiversity", "CardFeedPsychometrics", "CardFeedSpacedRepetition",
    ],
    "CardFeedReranking": ["CardFeedDiversity"],
    "CardFeedVectorSearch": ["CardFeedVectorIndex", "Dispatch"],
  ]

  private static func anyPlugin(_ module: String) -> Rule {
    Rule(
      platform.union(["CardFeed", "CardFeedCalendar", "CardFeedConfiguration"])
        .union(librariesOfPlugins[module] ?? []),
      mainType: "\(module.dropFirst("CardFeed".count))Plugin")
  }
}
