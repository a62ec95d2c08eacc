// swift-tools-version: 6.2
import PackageDescription

// Every target is built alike: complete concurrency checking, explicit existentials, imports that
// are internal unless a public signature needs them, and no warning left standing.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil
) -> Target {
  .target(name: name, dependencies: dependencies, path: path, swiftSettings: settings)
}

func plugin(_ family: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: "CardFeed\(family)", dependencies: dependencies, path: "Plugins/\(family)",
    exclude: ["README.md"], swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: "\(name)Tests", dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "CardFeed",
  products: [
    .library(name: "CardFeedStack", targets: ["CardFeedStack"]),
    .library(name: "CardFeed", targets: ["CardFeed"]),
    .library(name: "CardFeedAnki", targets: ["CardFeedAnki"]),
    .library(name: "CardFeedCalendar", targets: ["CardFeedCalendar"]),
    .library(name: "CardFeedConfiguration", targets: ["CardFeedConfiguration"]),
    .library(name: "CardFeedDiversity", targets: ["CardFeedDiversity"]),
    .library(name: "CardFeedEventSinks", targets: ["CardFeedEventSinks"]),
    .library(name: "CardFeedHTTP", targets: ["CardFeedHTTP"]),
    .library(name: "CardFeedLayout", targets: ["CardFeedLayout"]),
    .library(name: "CardFeedOnlineLearning", targets: ["CardFeedOnlineLearning"]),
    .library(name: "CardFeedPsychometrics", targets: ["CardFeedPsychometrics"]),
    .library(name: "CardFeedRecommenders", targets: ["CardFeedRecommenders"]),
    .library(name: "CardFeedSpacedRepetition", targets: ["CardFeedSpacedRepetition"]),
    .library(name: "CardFeedServer", targets: ["CardFeedServer"]),
    .library(name: "CardFeedSQLite", targets: ["CardFeedSQLite"]),
    .library(name: "CardFeedTwoSidedMarket", targets: ["CardFeedTwoSidedMarket"]),
    .library(name: "CardFeedVectorIndex", targets: ["CardFeedVectorIndex"]),
    .library(name: "CardFeedVectorSearch", targets: ["CardFeedVectorSearch"]),
    .library(name: "CardFeedVectorFiles", targets: ["CardFeedVectorFiles"]),
    .library(name: "CardFeedTesting", targets: ["CardFeedTesting"]),
    .library(name: "CardFeedStandardPlugins", targets: ["CardFeedStandardPlugins"]),
    .library(name: "CardFeedBaselines", targets: ["CardFeedBaselines"]),
    .library(name: "CardFeedDating", targets: ["CardFeedDating"]),
    .library(name: "CardFeedQuiz", targets: ["CardFeedQuiz"]),
    .library(name: "CardFeedProduct", targets: ["CardFeedProduct"]),
    .library(name: "CardFeedReranking", targets: ["CardFeedReranking"]),
    .library(name: "CardFeedBandits", targets: ["CardFeedBandits"]),
    .library(name: "CardFeedBatchModels", targets: ["CardFeedBatchModels"]),
    .library(
      name: "CardFeedCollaborativeFiltering", targets: ["CardFeedCollaborativeFiltering"]),
    .library(name: "CardFeedExperiments", targets: ["CardFeedExperiments"]),
    .library(name: "CardFeedPostgres", targets: ["CardFeedPostgres"]),
    .library(name: "CardFeedGradientBoosting", targets: ["CardFeedGradientBoosting"]),
    .executable(name: "cardfeed", targets: ["cardfeed"]),
  ],
  traits: [
    .trait(
      name: "OpenBLAS",
      description: "Linear autoencoders and implicit factors. Needs libopenblas."),
    .trait(
      name: "Postgres",
      description: "The shared store of many server processes, in PostgreSQL. Needs libpq."),
    .trait(
      name: "XGBoost",
      description: "A match probability by boosted trees. Needs libxgboost 1.7."),
    .trait(
      name: "HNSW",
      description: "A graph of near vectors, for hundreds of thousands of cards. Needs hnswlib 0.6."
    ),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CLibZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CXGBoost", pkgConfig: "xgboost", providers: [.apt(["libxgboost-dev"])]),
    .systemLibrary(
      name: "COpenBLAS", pkgConfig: "openblas", providers: [.apt(["libopenblas-dev"])]),
    .target(name: "CAllocationCount"),
    .target(name: "CTerminal"),
    .target(name: "CVectorScan"),
    // Empty without the trait, so that nothing needs hnswlib then.
    .target(
      name: "CHNSW", dependencies: ["CVectorScan"],
      cxxSettings: [.define("CARDFEED_HNSW", to: "1", .when(traits: ["HNSW"]))]),
    // A failing disk, for the tests of the embedded store only.
    .target(name: "CSQLiteFaults", dependencies: ["CSQLite"]),

    library("CardFeedStack"),
    library("CardFeed", ["CardFeedStack"]),
    library(
      "CardFeedAnki", ["CardFeed", "CardFeedConfiguration", "CLibZip", "CSQLite", "CZstd"]),
    library("CardFeedCalendar", ["CardFeed"]),
    library("CardFeedConfiguration", ["CardFeed"]),
    library("CardFeedDiversity"),
    library("CardFeedEventSinks", ["CardFeed", "CardFeedConfiguration"]),
    library("CardFeedHTTP", ["CMicroHTTPD"]),
    library("CardFeedLayout", ["CardFeedStack"]),
    library("CardFeedOnlineLearning"),
    library("CardFeedPsychometrics"),
    library(
      "CardFeedRecommenders",
      ["CVectorScan", .target(name: "COpenBLAS", condition: .when(traits: ["OpenBLAS"]))]),
    library("CardFeedSpacedRepetition"),
    // The page's files are part of the program as Swift texts, which a test keeps true: that
    // compiles at once and needs no Foundation.
    .target(
      name: "CardFeedServer",
      dependencies: [
        "CardFeed", "CardFeedConfiguration", "CardFeedEventSinks", "CardFeedHTTP",
        "CardFeedLayout",
      ], exclude: ["Playground"], swiftSettings: settings),
    library("CardFeedSQLite", ["CardFeed", "CSQLite"]),
    library("CardFeedTerminal", ["CardFeedLayout", "CTerminal"]),
    library("CardFeedTwoSidedMarket"),
    library(
      "CardFeedVectorIndex",
      ["CVectorScan", .target(name: "CHNSW", condition: .when(traits: ["HNSW"]))]),
    library("CardFeedVectorFiles", ["CardFeed", "CardFeedConfiguration"]),
    library("CardFeedTesting", ["CardFeed", "CardFeedStack"]),
    plugin("Baselines", ["CardFeed", "CardFeedCalendar", "CardFeedConfiguration"]),
    plugin(
      "Dating",
      [
        "CardFeed", "CardFeedCalendar", "CardFeedConfiguration", "CardFeedDiversity",
        "CardFeedTwoSidedMarket",
      ]),
    plugin(
      "Quiz",
      [
        "CardFeed", "CardFeedCalendar", "CardFeedConfiguration", "CardFeedDiversity",
        "CardFeedPsychometrics", "CardFeedSpacedRepetition",
      ]),
    plugin("Bandits", ["CardFeed", "CardFeedConfiguration", "CardFeedOnlineLearning"]),
    plugin("Reranking", ["CardFeed", "CardFeedConfiguration", "CardFeedDiversity"]),
    plugin("Product", ["CardFeed", "CardFeedCalendar", "CardFeedConfiguration"]),
    plugin("BatchModels", ["CardFeed", "CardFeedConfiguration", "CardFeedVectorFiles"]),
    plugin(
      "Postgres",
      [
        "CardFeed", "CardFeedConfiguration",
        .target(name: "CLibPQ", condition: .when(traits: ["Postgres"])),
      ]),
    plugin(
      "GradientBoosting",
      [
        "CardFeed", "CardFeedConfiguration",
        .target(name: "CXGBoost", condition: .when(traits: ["XGBoost"])),
      ]),
    plugin(
      "CollaborativeFiltering", ["CardFeed", "CardFeedConfiguration", "CardFeedRecommenders"]),
    plugin("VectorSearch", ["CardFeed", "CardFeedConfiguration", "CardFeedVectorIndex"]),
    library(
      "CardFeedStandardPlugins",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedSQLite", "CardFeedBandits",
        "CardFeedBaselines", "CardFeedBatchModels", "CardFeedCollaborativeFiltering",
        "CardFeedDating", "CardFeedGradientBoosting", "CardFeedPostgres", "CardFeedProduct",
        "CardFeedQuiz", "CardFeedReranking", "CardFeedVectorSearch",
      ]),
    library(
      "CardFeedExperiments",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedDiversity", "CardFeedOnlineLearning",
        "CardFeedPsychometrics", "CardFeedRecommenders", "CardFeedSpacedRepetition",
        "CardFeedTwoSidedMarket", "CardFeedVectorIndex", "CZlib",
      ]),
    library(
      "CardFeedCommandLine",
      [
        "CardFeed", "CardFeedStack", "CardFeedAnki", "CardFeedConfiguration", "CardFeedDiversity",
        "CardFeedExperiments", "CardFeedHTTP", "CardFeedLayout", "CardFeedOnlineLearning",
        "CardFeedServer", "CardFeedTerminal", "CardFeedVectorFiles",
      ]),
    .executableTarget(
      name: "cardfeed",
      dependencies: [
        "CardFeedCommandLine", "CardFeedConfiguration", "CardFeedStandardPlugins",
        "CAllocationCount",
      ],
      swiftSettings: settings),

    // Programs that tests start.
    .target(name: "CChildProcess", path: "Tests/CChildProcess"),
    library(
      "ChildProcesses", ["CardFeed", "CChildProcess"], path: "Tests/ChildProcesses"),

    library(
      "TerminalEmulation", ["CardFeedTerminal", "ChildProcesses"], path: "Tests/TerminalEmulation"),

    tests("House", []),
    tests("CardFeedStack", ["CardFeedStack", "CardFeedTesting"]),
    tests("CardFeed", ["CardFeed", "CardFeedStack", "CardFeedTesting"]),
    tests("CardFeedAnki", ["CardFeedAnki", "CSQLite", "CZstd"]),
    tests("CardFeedCalendar", ["CardFeed", "CardFeedCalendar", "CardFeedTesting"]),
    tests(
      "CardFeedConfiguration",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedTesting", "CardFeedBaselines",
        "CardFeedDating", "CardFeedStandardPlugins", "ChildProcesses",
      ]),
    tests(
      "CardFeedBandits",
      [
        "CardFeed", "CardFeedBandits", "CardFeedConfiguration", "CardFeedOnlineLearning",
        "CardFeedTesting",
      ]),
    tests("CardFeedDiversity", ["CardFeedDiversity"]),
    tests(
      "CardFeedReranking",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedDiversity", "CardFeedReranking",
        "CardFeedTesting",
      ]),
    tests(
      "CardFeedEventSinks",
      ["CardFeed", "CardFeedConfiguration", "CardFeedEventSinks", "CardFeedTesting"]),
    tests(
      "CardFeedSQLite",
      ["CardFeed", "CardFeedSQLite", "CardFeedTesting", "CSQLite", "CSQLiteFaults"]),
    tests(
      "CardFeedServer",
      [
        "CardFeed", "CardFeedCommandLine", "CardFeedConfiguration", "CardFeedHTTP",
        "CardFeedEventSinks", "CardFeedServer", "CardFeedSQLite", "CardFeedStandardPlugins",
        "CardFeedTesting",
        "ChildProcesses", "cardfeed",
      ]),
    tests(
      "CardFeedTerminal",
      ["CardFeedLayout", "CardFeedTerminal", "CChildProcess", "TerminalEmulation"]),
    tests("CardFeedTwoSidedMarket", ["CardFeedTwoSidedMarket"]),
    tests("CardFeedVectorIndex", ["CardFeedVectorIndex", "CVectorScan"]),
    tests(
      "CardFeedVectorSearch",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedBaselines", "CardFeedTesting",
        "CardFeedVectorIndex", "CardFeedVectorSearch",
      ]),
    tests(
      "CardFeedBaselines",
      [
        "CardFeed", "CardFeedCalendar", "CardFeedConfiguration", "CardFeedBaselines",
        "CardFeedTesting",
      ]),
    tests(
      "CardFeedDating",
      [
        "CardFeed", "CardFeedCalendar", "CardFeedConfiguration", "CardFeedBaselines",
        "CardFeedDating", "CardFeedTesting", "CardFeedTwoSidedMarket",
      ]),
    tests(
      "CardFeedPostgres",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedEventSinks", "CardFeedPostgres",
        "CardFeedTesting", "ChildProcesses",
      ]),
    tests(
      "CardFeedQuiz",
      [
        "CardFeed", "CardFeedCalendar", "CardFeedConfiguration", "CardFeedBaselines",
        "CardFeedPsychometrics", "CardFeedQuiz", "CardFeedSpacedRepetition", "CardFeedTesting",
        "ChildProcesses",
      ]),
    tests("CardFeedHTTP", ["CardFeedHTTP"]),
    tests("CardFeedLayout", ["CardFeedLayout", "CardFeedStack"]),
    tests("CardFeedOnlineLearning", ["CardFeedOnlineLearning"]),
    tests(
      "CardFeedProduct",
      [
        "CardFeed", "CardFeedBandits", "CardFeedBaselines", "CardFeedCalendar",
        "CardFeedConfiguration", "CardFeedProduct", "CardFeedReranking", "CardFeedTesting",
      ]),
    tests(
      "CardFeedBatchModels",
      [
        "CardFeed", "CardFeedBatchModels", "CardFeedTesting", "CardFeedVectorFiles",
        "CardFeedConfiguration",
      ]),
    tests("CardFeedPsychometrics", ["CardFeedPsychometrics"]),
    tests("CardFeedRecommenders", ["CardFeedRecommenders"]),
    tests(
      "CardFeedCollaborativeFiltering",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedBaselines", "CardFeedTesting",
        "CardFeedCollaborativeFiltering", "CardFeedRecommenders",
      ]),
    tests("CardFeedSpacedRepetition", ["CardFeedSpacedRepetition"]),
    tests(
      "CardFeedGradientBoosting",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedBaselines", "CardFeedDating",
        "CardFeedGradientBoosting", "CardFeedProduct", "CardFeedTesting",
      ]),
    tests(
      "CardFeedExperiments",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedDating", "CardFeedExperiments",
        "CardFeedPsychometrics", "CardFeedRecommenders", "CardFeedSpacedRepetition",
        "CardFeedStandardPlugins", "CardFeedTesting", "CardFeedTwoSidedMarket", "ChildProcesses",
      ]),
    tests(
      "CardFeedCommandLine",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedCommandLine", "CardFeedExperiments",
        "CardFeedLayout", "CardFeedStandardPlugins", "CardFeedTerminal", "CardFeedVectorFiles",
        "ChildProcesses", "TerminalEmulation", "cardfeed",
      ]),
    tests(
      "Readme",
      [
        "CardFeed", "CardFeedConfiguration", "CardFeedDating", "CardFeedSQLite",
        "CardFeedStandardPlugins",
      ]),
  ],
  swiftLanguageModes: [.v6]
)
