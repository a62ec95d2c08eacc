import CardFeedCommandLine
import CardFeedConfiguration
import Testing

/// Tables for people and for machines.
struct TextTableTests {
  static let table = {
    var table = TextTable(["strategy", "hands", "NDCG@5", "remark"])
    table.append(["elo", 1200, .number(0.123456, decimals: 4), "the \"old\" one, kept"])
    table.append(["logistic regression", 7, .optional(nil, decimals: 4), nil])
    table.append(["random", nil, .optional(-0.5, decimals: 4), "two\nlines\u{1B}[31m"])
    return table
  }()

  @Test func textIsAligned() {
    #expect(
      Self.table.text(width: 80) == """
        strategy             hands   NDCG@5  remark
        -------------------  -----  -------  -------------------
        elo                   1200   0.1235  the "old" one, kept
        logistic regression      7        -  -
        random                   -  -0.5000  two lines\u{FFFD}[31m

        """)
  }

  @Test func textFitsTheWidth() {
    #expect(
      Self.table.text(width: 44) == """
        strategy       hands   NDCG@5  remark
        -------------  -----  -------  -------------
        elo             1200   0.1235  the "old" on…
        logistic reg…      7        -  -
        random             -  -0.5000  two lines\u{FFFD}[3…

        """)
  }

  @Test func numbersAreNeverCut() {
    #expect(
      Self.table.text(width: 1) == """
        strategy  han…   NDCG@5  remark
        --------  ----  -------  --------
        elo       1200   0.1235  the "ol…
        logisti…     7        -  -
        random       -  -0.5000  two lin…

        """)
  }

  @Test func csvFollowsRFC4180() {
    #expect(
      String(decoding: Self.table.csv(), as: UTF8.self)
        == "strategy,hands,NDCG@5,remark\r\n"
        + "elo,1200,0.123456,\"the \"\"old\"\" one, kept\"\r\n"
        + "logistic regression,7,,\r\n"
        + "random,,-0.5,\"two\nlines\u{1B}[31m\"\r\n")
    var single = TextTable(["a"])
    single.append([nil])
    single.append([" x"])
    #expect(String(decoding: single.csv(), as: UTF8.self) == "a\r\n\"\"\r\n\" x\"\r\n")
  }

  @Test func jsonKeepsNumbersAndGaps() {
    #expect(
      Self.table.json()[1]?.description
        == #"{"strategy":"logistic regression","hands":7,"NDCG@5":null,"remark":null}"#)
    #expect(Self.table.json()[0]?["NDCG@5"]?.double == 0.123456)
  }

  @Test func anEmptyTableHasItsTitles() {
    let table = TextTable(["a", "bcd"])
    #expect(table.text(width: 80) == "a  bcd\n-  ---\n")
    #expect(table.csv() == Array("a,bcd\r\n".utf8))
    #expect(table.json() == [])
  }

  @Test(
    arguments: [
      (0.5, 0, "0"), (1.5, 0, "2"), (2.675, 2, "2.67"), (-0.125, 3, "-0.125"),
      (-0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"),
      (1e300, 0, nil), (.nan, 2, "-"), (.infinity, 2, "-"),
    ] as [(Double, Int, String?)])
  func decimalsAreRoundedCorrectly(_ number: Double, _ decimals: Int, _ text: String?) {
    let rendered = TableCell.fixed(number, decimals: decimals)
    if let text { #expect(rendered == text) } else { #expect(Double(rendered) == number) }
  }

  @Test func wrongTablesTrap() async {
    await #expect(processExitsWith: .failure) { _ = TextTable(["a", "a"]) }
    await #expect(processExitsWith: .failure) {
      var table = TextTable(["a", "b"])
      table.append([1])
    }
  }
}
