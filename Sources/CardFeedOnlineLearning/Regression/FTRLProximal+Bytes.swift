extension FTRLProximal {
  private static let magic = "CardFeed FTRL-proximal"
  private static let version: UInt32 = 1

  /// The model as a file: a magic line, version 1, the table's bits, the settings, each coordinate
  /// that has learned something (place, z, √n), and a CRC-32C. Equal models give equal bytes.
  public var bytes: [UInt8] {
    var image = ModelImage(magic: Self.magic, version: Self.version)
    image.append(UInt32(bits))
    for number in [settings.alpha, settings.beta, settings.lambda1, settings.lambda2] {
      image.append(number)
    }
    let known = entries.indices.filter { entries[$0].root > 0 }
    image.append(UInt32(known.count))
    for index in known {
      image.append(UInt32(index))
      image.append(entries[index].z)
      image.append(entries[index].root)
    }
    return image.sealed
  }

  /// Reads what `bytes` wrote; the weights follow from the sums.
  ///
  /// - Throws: ``ModelImageError`` for another kind or version, damage, or impossible numbers.
  /// - Complexity: O(2ᵇⁱᵗˢ).
  public init(bytes: [UInt8]) throws(ModelImageError) {
    var reader = try ModelImageReader(bytes, magic: Self.magic, version: Self.version)
    let bits = Int(try reader.integer())
    let (alpha, beta) = (try reader.number(), try reader.number())
    let (lambda1, lambda2) = (try reader.number(), try reader.number())
    guard (1...28).contains(bits), alpha > 0, beta >= 0, lambda1 >= 0, lambda2 >= 0,
      beta + lambda2 > 0
    else { throw ModelImageError("the model is damaged: its settings are impossible") }
    let settings = Settings(alpha: alpha, beta: beta, lambda1: lambda1, lambda2: lambda2)
    self.init(bits: bits, settings: settings)
    for _ in 0..<(try reader.integer()) {
      let index = Int(try reader.integer())
      let (z, root) = (try reader.number(), try reader.number())
      guard index < entries.count, root >= 0 else {
        throw ModelImageError("the model is damaged: a coordinate is impossible")
      }
      entries[index] = Entry(
        z: z, root: root,
        weight: Self.weight(z: z, root: root, settings: settings))
    }
    guard reader.remaining == 0 else {
      throw ModelImageError("the model is damaged: \(reader.remaining) bytes follow its end")
    }
  }
}
