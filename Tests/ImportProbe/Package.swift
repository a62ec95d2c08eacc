// swift-tools-version: 6.2
import PackageDescription

// A server project that imports the library, as anybody's would: a package of its own, public
// products only. Scripts/test-import.sh builds and runs it.
let package = Package(
  name: "ImportProbe",
  dependencies: [.package(name: "CardFeed", path: "../..")],
  targets: [
    .executableTarget(
      name: "ImportProbe",
      dependencies: [
        .product(name: "CardFeed", package: "CardFeed"),
        .product(name: "CardFeedConfiguration", package: "CardFeed"),
        .product(name: "CardFeedDating", package: "CardFeed"),
        .product(name: "CardFeedLayout", package: "CardFeed"),
        .product(name: "CardFeedSQLite", package: "CardFeed"),
        .product(name: "CardFeedStandardPlugins", package: "CardFeed"),
      ])
  ]
)
