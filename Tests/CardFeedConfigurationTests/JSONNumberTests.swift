import CardFeedConfiguration
import Testing

/// Exact integers, nearest doubles and the one canonical text.
struct JSONNumberTests {
  @Test(
    arguments: [
      ("0", 0), ("-0", 0), ("42", 42), ("5.0", 5), ("1e3", 1000), ("120e-1", 12), ("-1.50e1", -15),
      ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
      ("9223372036854775.807e3", Int64.max), ("0e999999999999999999999", 0),
      ("9223372036854775808", nil), ("1.5", nil), ("1e-1", nil), ("1e300", nil), ("1e19", nil),
    ] as [(String, Int64?)])
  func integersAreExact(_ text: String, _ expected: Int64?) throws {
    #expect(try #require(JSONNumber(text: text)).int64 == expected)
  }

  @Test func otherIntegerTypesAreExactToo() {
    #expect(JSONNumber(text: "18446744073709551615")?.integer(UInt64.self) == .max)
    #expect(JSONNumber(text: "1.8446744073709551615e19")?.integer(UInt64.self) == .max)
    #expect(JSONNumber(text: "-1")?.integer(UInt64.self) == nil)
    #expect(JSONNumber(text: "256")?.integer(UInt8.self) == nil)
    #expect(JSONNumber(text: "255.0")?.integer(UInt8.self) == 255)
    #expect(JSONNumber(Int128.min).integer(Int128.self) == .min)
  }

  @Test(arguments: [
    ("0", 0.0), ("0.1", 0.1), ("-12.5", -12.5), ("1e22", 1e22), ("1e23", 1e23),
    ("9007199254740993", 9_007_199_254_740_992), ("0.30000000000000004", 0.1 + 0.2),
    ("123456789012345678", 123_456_789_012_345_680), ("1e-400", 0),
    ("5e-324", Double.leastNonzeroMagnitude),
    ("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
    ("179769313486231570000e288", Double.greatestFiniteMagnitude),
  ])
  func doublesAreNearest(_ text: String, _ expected: Double) throws {
    #expect(try #require(JSONNumber(text: text)).double == expected)
  }

  @Test func negativeZeroKeepsItsSignAsADouble() throws {
    let zero = try #require(JSONNumber(text: "-0"))
    #expect(zero.double.sign == .minus)
    #expect(zero.canonicalText == "0")
  }

  @Test func longNumbersWork() throws {
    let long = String(repeating: "9", count: 5000)
    #expect(JSONNumber(text: long) == nil)
    #expect(JSONNumber(text: "0." + long)?.double == 1)
    #expect(JSONNumber(text: "0." + long)?.canonicalText == "1")
    #expect(JSONNumber(text: String(long.prefix(300)))?.double == 1e300)
  }

  @Test(arguments: ["", " 1", "1 ", "+1", "1.", "NaN", "inf", "0x1", "1,2", "\"1\"", "null"])
  func onlyNumbersAreNumbers(_ text: String) {
    #expect(JSONNumber(text: text) == nil)
  }

  @Test func doublesThatAreNotFiniteAreNone() {
    #expect(JSONNumber(finite: .nan) == nil)
    #expect(JSONNumber(finite: -.infinity) == nil)
    #expect(JSONNumber(finite: 0.1)?.text == "0.1")
    #expect(JSONValue(orNull: .infinity).isNull)
    #expect(JSONValue(orNull: nil).isNull)
    #expect(JSONValue(orNull: 2) == 2)
  }

  // The first rows are the samples of RFC 8785, section 3.2.2 and appendix B.
  @Test(arguments: [
    ("333333333.33333329", "333333333.3333333"), ("1E30", "1e+30"), ("4.50", "4.5"),
    ("2e-3", "0.002"), ("0.000000000000000000000000001", "1e-27"), ("5e-324", "5e-324"),
    ("-5e-324", "-5e-324"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
    ("9.999999999999997e22", "9.999999999999997e+22"), ("1e23", "1e+23"),
    ("999999999999999900000", "999999999999999900000"), ("1e21", "1e+21"),
    ("0.0000010", "0.000001"), ("0.00000099999999999999999e-6", "1e-12"),
    ("123.456e-9", "1.23456e-7"), ("-0.0", "0"), ("100", "100"), ("1e2", "100"),
    ("1.0", "1"), ("18446744073709551617", "18446744073709551617"),
    ("0.99999999999999999999", "1"), ("12.50", "12.5"), ("-123456.75", "-123456.75"),
  ])
  func canonicalTextFollowsECMAScript(_ text: String, _ canonical: String) throws {
    #expect(try #require(JSONNumber(text: text)).canonicalText == canonical)
  }

  @Test func numbersAreEqualWhenTheirCanonicalTextsAre() throws {
    let hundred = try #require(JSONNumber(text: "1e2"))
    #expect(hundred == JSONNumber(100))
    #expect(hundred.hashValue == JSONNumber(100).hashValue)
    #expect(hundred.isWrittenAsInteger == false)
    #expect(JSONNumber(-100).isWrittenAsInteger)
    #expect(JSONNumber(UInt64.max) != JSONNumber(UInt64.max - 1))
    #expect(JSONNumber(text: "0.1") == JSONNumber(text: "0.10"))
  }
}
