#if XGBoost
  internal import CXGBoost

  /// A failure of the library of boosted trees: what was tried, and the library's own words.
  public struct XGBoostError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried. More may be added.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
      /// A stable, dashed name.
      public let description: String

      /// Numbers could not be handed over.
      public static let matrix = Code(description: "matrix")
      /// A setting was refused.
      public static let setting = Code(description: "setting")
      /// A round of a fit failed.
      public static let fit = Code(description: "fit")
      /// A prediction failed, or has not one number for each row.
      public static let prediction = Code(description: "prediction")
      /// Trees could not be written, or the bytes are none.
      public static let model = Code(description: "model")
    }

    /// What was tried.
    public let code: Code
    /// The first line of what the library says; it knows columns by number only.
    public let message: String

    /// What was tried, and why it failed.
    public var description: String { "XGBoost failed (\(code)): \(message)" }

    init(_ code: Code, _ message: String) {
      self.code = code
      self.message = message
    }

    /// Throws unless a call of the library succeeded. Must follow the call on the same thread.
    static func check(_ result: CInt, _ code: Code) throws(XGBoostError) {
      guard result != 0 else { return }
      let text = XGBGetLastError().map { String(cString: $0) } ?? ""
      let line = text.split(separator: "\n").first.map(String.init) ?? "no reason given"
      throw XGBoostError(code, line)
    }
  }
#endif
