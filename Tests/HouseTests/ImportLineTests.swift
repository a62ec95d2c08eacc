import Testing

@Suite("House: reading imports")
struct ImportLineTests {
  @Test(
    "An import declaration is read whatever stands before and behind the module",
    arguments: [
      ("import CardFeed", ImportLine(module: "CardFeed", line: 1)),
      ("  internal import Glibc", ImportLine(module: "Glibc", modifiers: ["internal"], line: 1)),
      ("public import CardFeed", ImportLine(module: "CardFeed", modifiers: ["public"], line: 1)),
      (
        "@_exported public import CardFeed",
        ImportLine(module: "CardFeed", modifiers: ["@_exported", "public"], line: 1)
      ),
      (
        "@testable import CardFeed // why",
        ImportLine(module: "CardFeed", modifiers: ["@testable"], line: 1)
      ),
      ("import struct Glibc.timespec", ImportLine(module: "Glibc", line: 1)),
      ("import Foundation.NSDate", ImportLine(module: "Foundation", line: 1)),
    ])
  func declaration(source: String, expected: ImportLine) {
    #expect(ImportLine.all(in: source) == [expected])
  }

  @Test("Imports in comments and in string literals are not imports")
  func onlyCode() {
    let source = #"""
      // import A
      /* import B
         /* import C */
         import D */
      let script = """
        import E
        """
      let one = "\" import F"
      let url = "https://example.org" ; import G
      #if canImport(H)
        private import H
      #endif
      let important = 1
      """#
    #expect(
      ImportLine.all(in: source) == [
        ImportLine(module: "G", line: 9),
        ImportLine(module: "H", modifiers: ["private"], line: 11),
      ])
  }
}
