// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@Suite("Hash functions") struct HashFunctionTests {
  @Test(
    "the examples of the standard have the standard's digests",
    arguments: [
      // FIPS 180-4: https://csrc.nist.gov/projects/cryptographic-standards-and-guidelines/example-values
      (
        "",
        [
          "da39a3ee5e6b4b0d3255bfef95601890afd80709",
          "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
          "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
            + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
        ]
      ),
      (
        "abc",
        [
          "a9993e364706816aba3e25717850c26c9cd0d89d",
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
          "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
            + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ]
      ),
    ])
  func standard(message: String, digests: [String]) {
    #expect(HashFunction.allCases.map { $0.hex(of: Array(message.utf8)) } == digests)
  }

  @Test(
    "messages of every length around the ends of blocks have the digests that Python's hashlib gives them",
    arguments: [
      (HashFunction.sha1, "dfc942b5ddc5fe6421ccada9be50fa42e873926c"),
      (HashFunction.sha256, "d5238871a46ac4a1a75ac3fb19d645b0b3b9e5f35f5f720e2b240d605c6b694e"),
      (
        HashFunction.sha512,
        "30d6c78a55e1f152f00703601a37b39b96c6c8fa2b3e66fb9c8182466b108d39"
          + "d5dd84827c69cadb4376853da7ec31ea83a0a7a0e5a713bac426e0f0ceea8424"
      ),
    ])
  func lengths(function: HashFunction, digest: String) {
    var all = RunningHash(function)
    for count in 0..<300 { all.update(function.digest(of: Self.message(count))) }
    #expect(HexText.lowercase(of: all.digest) == digest)
  }

  @Test("a message in parts has the digest of the whole", arguments: HashFunction.allCases)
  func parts(function: HashFunction) {
    let message = Self.message(300)
    for first in stride(from: 0, through: 300, by: 7) {
      for second in stride(from: first, through: 300, by: 11) {
        var hash = RunningHash(function)
        hash.update(Array(message[..<first]))
        // A digest of the bytes so far does not end the hash.
        _ = hash.digest
        hash.update(Array(message[first..<second]))
        hash.update(Array(message[second...]))
        #expect(hash.digest == function.digest(of: message), "\(first), \(second)")
      }
    }
  }

  private typealias Code = (key: [UInt8], message: [UInt8], sha256: String, sha512: String)

  private static let codes: [Code] = [
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
        + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
    ),
  ]

  @Test("the examples of RFC 4231 for a short and a long key have its codes")
  func authentication() {
    for code in Self.codes {
      let made = [HashFunction.sha256, .sha512].map {
        HexText.lowercase(of: $0.authenticationCode(of: code.message, key: code.key))
      }
      #expect(made == [code.sha256, code.sha512])
    }
  }

  @Test("codes are equal only if each of their bytes is")
  func comparison() {
    let code = HashFunction.sha256.digest(of: [])
    #expect(code.equalsInConstantTime(code) && [UInt8]().equalsInConstantTime([]))
    #expect(!code.equalsInConstantTime(Array(code.dropLast())) && !code.equalsInConstantTime(code + [0]))
    for place in code.indices {
      for bit in 0..<8 {
        var other = code
        other[place] ^= 1 << bit
        #expect(!code.equalsInConstantTime(other))
      }
    }
  }

  private static func message(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + count) }
  }
}
