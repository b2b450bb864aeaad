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
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        [
          "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
          "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
            + "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445",
        ]
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        [
          "a49b2446a02c645bf419f995b67091253a04a259",
          "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
          "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
            + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
        ]
      ),
    ])
  func standard(message: String, digests: [String]) {
    #expect(HashFunction.allCases.map { $0.hex(of: Array(message.utf8)) } == digests)
  }

  /// Not one of the arguments above, which stand in the log.
  @Test("a million times the letter a has the standard's digests")
  func million() {
    let message = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    #expect(
      HashFunction.allCases.map { $0.hex(of: message) } == [
        "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
          + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b",
      ])
  }

  @Test(
    "messages of every length around the ends of blocks have the digests that Python's hashlib gives them",
    arguments: [
      (
        HashFunction.sha1,
        "dfc942b5ddc5fe6421ccada9be50fa42e873926c"
      ),
      (
        HashFunction.sha256,
        "d5238871a46ac4a1a75ac3fb19d645b0b3b9e5f35f5f720e2b240d605c6b694e"
      ),
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
        hash.update(Array(message[first..<second]))
        hash.update(Array(message[second...]))
        #expect(hash.digest == function.digest(of: message), "\(first), \(second)")
      }
    }
  }

  @Test("a digest of the bytes so far does not end the hash")
  func digestOfStart() {
    var hash = RunningHash(.sha256)
    hash.update(Array("a".utf8))
    #expect(hash.digest == HashFunction.sha256.digest(of: Array("a".utf8)))
    hash.update(Array("bc".utf8))
    #expect(hash.digest == HashFunction.sha256.digest(of: Array("abc".utf8)))
  }

  private typealias Code = (key: [UInt8], message: [UInt8], sha256: String, sha512: String)

  private static let codes: [Code] = [
    (
      [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
        + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
    ),
    (
      Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    ),
    (
      [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
      "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
      "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39"
        + "bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb"
    ),
    (
      Array(1...25), [UInt8](repeating: 0xCD, count: 50),
      "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
      "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3db"
        + "a91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
        + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
    ),
  ]

  @Test("the examples of RFC 4231 have its codes")
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
