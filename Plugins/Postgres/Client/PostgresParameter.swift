#if Postgres
  internal import CardFeed

  /// A value for a placeholder, in PostgreSQL's binary format (network byte order).
  struct PostgresParameter: Sendable {
    /// Nil stands for NULL.
    let bytes: [UInt8]?

    static func integer(_ value: Int64?) -> Self { Self(bytes: value.map(bigEndian)) }

    static func number(_ value: CardNumber?) -> Self { integer(value?.rawValue) }

    static func position(_ value: LogPosition?) -> Self { integer(value?.rawValue) }

    static func time(_ value: Timestamp?) -> Self { integer(value?.milliseconds) }

    static func bytes(_ value: [UInt8]?) -> Self { Self(bytes: value) }

    static func text(_ value: String?) -> Self { Self(bytes: value.map { Array($0.utf8) }) }

    static func flag(_ value: Bool) -> Self { Self(bytes: [value ? 1 : 0]) }

    static func integers(_ values: some Collection<Int64>) -> Self {
      integers(values.map(Optional.some))
    }

    static func integers(_ values: [Int64?]) -> Self {
      array(values, oid: 20, width: 8) { value, bytes in append(value, to: &bytes) }
    }

    /// Numbers of four bytes; what does not fit is cut to the nearest that does.
    static func integers32(_ values: [Int64?]) -> Self {
      array(values, oid: 23, width: 4) { value, bytes in
        append(Int32(clamping: value), to: &bytes)
      }
    }

    /// Numbers of two bytes.
    static func integers16(_ values: [Int64?]) -> Self {
      array(values, oid: 21, width: 2) { value, bytes in
        append(Int16(clamping: value), to: &bytes)
      }
    }

    static func flags(_ values: [Bool]) -> Self {
      array(values.map(Optional.some), oid: 16, width: 1) { value, bytes in
        bytes.append(value ? 1 : 0)
      }
    }

    static func doubles(_ values: [Double?]) -> Self {
      array(values, oid: 701, width: 8) { value, bytes in
        append(Int64(bitPattern: value.bitPattern), to: &bytes)
      }
    }

    static func texts(_ values: [String?]) -> Self {
      array(values, oid: 25, width: 8) { value, bytes in bytes.append(contentsOf: value.utf8) }
    }

    static func byteStrings(_ values: [[UInt8]?]) -> Self {
      array(values, oid: 17, width: 16) { value, bytes in bytes.append(contentsOf: value) }
    }

    /// One dimension from 1 on: dimensions, whether NULLs occur, the type, the count, the first
    /// index, then each element with its length, -1 for NULL. Nothing but NULLs is an empty array:
    /// where columns are unnested side by side, the shorter ones are filled up with NULL.
    private static func array<Element>(
      _ values: [Element?], oid: Int32, width: Int,
      _ encode: (Element, inout [UInt8]) -> Void
    ) -> Self {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(20 + values.count * (4 + width))
      let isEmpty = values.allSatisfy { $0 == nil }
      append(Int32(isEmpty ? 0 : 1), to: &bytes)
      append(Int32(values.contains { $0 == nil } ? 1 : 0), to: &bytes)
      append(oid, to: &bytes)
      if isEmpty { return Self(bytes: bytes) }
      append(Int32(values.count), to: &bytes)
      append(Int32(1), to: &bytes)
      for value in values {
        guard let value else {
          append(Int32(-1), to: &bytes)
          continue
        }
        let place = bytes.count
        append(Int32(0), to: &bytes)
        encode(value, &bytes)
        let length = UInt32(bytes.count - place - 4)
        for index in 0..<4 {
          bytes[place + index] = UInt8(truncatingIfNeeded: length >> UInt32(24 - 8 * index))
        }
      }
      return Self(bytes: bytes)
    }

    private static func bigEndian(_ value: Int64) -> [UInt8] {
      var bytes: [UInt8] = []
      append(value, to: &bytes)
      return bytes
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }
#endif
