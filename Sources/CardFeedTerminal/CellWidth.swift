/// How many columns characters take.
///
/// Terminals go by East Asian Width (Unicode Standard Annex 11): wide and full-width characters, and
/// those that are shown as emoji, take two columns, marks take none. Where characters join into one
/// sign, terminals differ; `Glyph.isCertain` tells.
enum CellWidth {
  /// Wide and full-width blocks whose characters are not all emoji, in ascending order.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2630...0x2637, 0x268a...0x268f, 0x2e80...0x2e99,
    0x2e9b...0x2ef3, 0x2f00...0x2fd5, 0x2ff0...0x303e, 0x3041...0x3096, 0x3099...0x30ff,
    0x3105...0x312f, 0x3131...0x318e, 0x3190...0x31e5, 0x31ef...0x321e, 0x3220...0x3247,
    0x3250...0xa48c, 0xa490...0xa4c6, 0xa960...0xa97c, 0xac00...0xd7a3, 0xf900...0xfaff,
    0xfe10...0xfe19, 0xfe30...0xfe52, 0xfe54...0xfe66, 0xfe68...0xfe6b, 0xff01...0xff60,
    0xffe0...0xffe6, 0x16fe0...0x16fe4, 0x16ff0...0x16ff6, 0x17000...0x18cd5, 0x18cff...0x18d1e,
    0x18d80...0x18df2, 0x1aff0...0x1aff3, 0x1aff5...0x1affb, 0x1affd...0x1affe,
    0x1b000...0x1b122, 0x1b132...0x1b132, 0x1b150...0x1b152, 0x1b155...0x1b155,
    0x1b164...0x1b167, 0x1b170...0x1b2fb, 0x1d300...0x1d356, 0x1d360...0x1d376,
    0x1f200...0x1f202, 0x1f210...0x1f23b, 0x1f240...0x1f248, 0x1f250...0x1f251,
    0x1f260...0x1f265, 0x20000...0x2fffd, 0x30000...0x3fffd,
  ]

  /// The columns of one character: 0, 1 or 2. O(1) for Latin, O(log blocks) else.
  static func width(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7f..<0xa0).contains(value) ? 0 : 1 }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // The later parts of a Hangul syllable stand inside of its first.
    if (0x1160...0x11ff).contains(value) || (0xd7b0...0xd7fb).contains(value) { return 0 }
    // Half of a flag has the width of a whole one only together with the other half.
    if isRegionalIndicator(scalar) { return 1 }
    return isWide(value) || properties.isEmojiPresentation ? 2 : 1
  }

  /// Whether editions of the standard, and so terminals, differ about a character: what became wide in
  /// Unicode 16, and what is as wide as its neighbours.
  static func isDisputed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2630...0x2637, 0x268a...0x268f, 0x3248...0x324f, 0x1d300...0x1d376: true
    default: false
    }
  }

  static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
    (0x1f1e6...0x1f1ff).contains(scalar.value)
  }

  private static func isWide(_ value: UInt32) -> Bool {
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }
}
