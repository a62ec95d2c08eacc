import CardFeed
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "the examples of the standard",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
  func examples(message: String, digest: String) {
    #expect(SHA256.hexadecimal(Array(message.utf8)) == digest)
  }

  @Test("a million times a")
  func million() {
    var digest = SHA256()
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 10_000)
    for _ in 0..<100 { digest.update(piece) }
    #expect(
      digest.hexadecimal == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test("pieces of any length give the digest of the whole, for every length around a block")
  func pieces() {
    for length in 50...140 {
      let message = (0..<length).map { UInt8($0) }
      var digest = SHA256()
      for start in stride(from: 0, to: length, by: 7) {
        digest.update(Array(message[start..<min(start + 7, length)]))
      }
      #expect(digest.hexadecimal == SHA256.hexadecimal(message))
    }
  }
}
