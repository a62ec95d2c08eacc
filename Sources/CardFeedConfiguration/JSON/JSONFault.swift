/// What stopped the parser, small enough to be thrown at no cost; the error text is made later.
struct JSONFault: Error {
  enum Expectation {
    case value
    case elementOrEnd
    case element
    case commaOrArrayEnd
    case keyOrEnd
    case key
    case colon
    case commaOrObjectEnd
    case endOfDocument
  }

  enum Kind {
    case tooLarge
    case byteOrderMark
    case empty
    case expected(Expectation)
    case word
    case tooDeep
    case leadingZero
    case digit
    case numberRange
    case unterminatedString
    case controlCharacter
    case escape
    case hexadecimalDigits
    case loneSurrogate
    case invalidUTF8
  }

  let kind: Kind
  /// The number of bytes of the parsed text before the place.
  let offset: Int
}
