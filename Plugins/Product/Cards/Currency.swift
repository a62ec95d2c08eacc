/// A currency of ISO 4217, by its code of three letters.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
  /// Three upper-case letters, such as `EUR`.
  public let code: String

  /// The currency of a code, or nil if ISO 4217 has none. O(1).
  public init?(_ code: String) {
    guard Self.codes.contains(code) else { return nil }
    self.code = code
  }

  /// How many digits of an amount in minor units stand behind the decimal point: 2 for cents, 0 where
  /// there is no minor unit.
  public var digits: Int {
    if Self.withoutMinorUnit.contains(code) { return 0 }
    return Self.withThousandths.contains(code) ? 3 : 2
  }

  /// The code.
  public var description: String { code }

  private static let withoutMinorUnit: Set<String> = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV",
    "XAF",
    "XOF", "XPF",
  ]

  private static let withThousandths: Set<String> = [
    "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND",
  ]

  /// The codes of money that is paid with: no metals, funds or codes for tests.
  private static let codes = Set(
    """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD \
    CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP \
    GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD \
    KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN \
    NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP \
    SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES \
    VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG
    """.split(separator: " ").map(String.init))
}

/// An amount of money: whole minor units of one currency, never a fraction.
public struct Price: Hashable, Sendable, CustomStringConvertible {
  /// Cents, or whatever the currency's smallest unit is; 0 or more.
  public let minorUnits: Int64
  /// Of which currency.
  public let currency: Currency

  /// A price.
  ///
  /// - Parameters:
  ///   - minorUnits: 0 or more.
  ///   - currency: Of which currency.
  public init(minorUnits: Int64, currency: Currency) {
    precondition(minorUnits >= 0, "A price is 0 minor units or more; got \(minorUnits).")
    self.minorUnits = minorUnits
    self.currency = currency
  }

  /// The amount with its decimal point, and the code, such as `19.99 EUR`.
  public var description: String {
    let digits = "\(minorUnits)"
    let behind = currency.digits
    guard behind > 0 else { return "\(digits) \(currency)" }
    let padded = String(repeating: "0", count: max(0, behind + 1 - digits.count)) + digits
    return "\(padded.dropLast(behind)).\(padded.suffix(behind)) \(currency)"
  }
}
