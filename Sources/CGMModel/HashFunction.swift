// SPDX-License-Identifier: Apache-2.0

/// The hash functions of the Secure Hash Standard (FIPS 180-4) that ids, digests of files and signatures need.
///
/// They are written here because a sample's id is the same wherever the decoder runs, a microcontroller included
/// (Decisions/0001). Only hashes belong here; nothing that encrypts does.
package enum HashFunction: Sendable, CaseIterable {
  case sha1, sha256, sha512

  /// Returns the digest of bytes: 20, 32 or 64 bytes.
  package func digest(of bytes: consuming [UInt8]) -> [UInt8] { RunningHash(self).digest(endingWith: bytes) }

  /// The digest in lower-case hex.
  package func hex(of bytes: [UInt8]) -> String { HexText.lowercase(of: digest(of: bytes)) }

  /// Returns a code that only someone with the key can compute: HMAC (RFC 2104), as long as a digest.
  package func authenticationCode(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var key = key.count > byteCounts.block ? digest(of: key) : key
    key += [UInt8](repeating: 0, count: byteCounts.block - key.count)
    let inner = digest(of: key.map { $0 ^ 0x36 } + message)
    return digest(of: key.map { $0 ^ 0x5C } + inner)
  }

  fileprivate var byteCounts: (word: Int, block: Int, digest: Int) {
    switch self {
    case .sha1: (4, 64, 20)
    case .sha256: (4, 64, 32)
    case .sha512: (8, 128, 64)
    }
  }
}

extension [UInt8] {
  /// True for equal bytes. The time depends only on their number, so that it tells a guesser nothing.
  package func equalsInConstantTime(_ other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    var difference: UInt8 = 0
    for index in indices { difference |= self[index] ^ other[index] }
    return difference == 0
  }
}

/// A hash of bytes that come in parts.
package struct RunningHash {
  private let function: HashFunction
  /// The chaining words: those of the shorter functions fill the lower halves.
  private var state: InlineArray<8, UInt64>
  /// The bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  private var byteCount = 0
  /// Zeros for the padding of any block.
  private static let zeros = [UInt8](repeating: 0, count: 256)

  package init(_ function: HashFunction) {
    self.function = function
    state =
      switch function {
      case .sha1: [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0, 0, 0, 0]
      case .sha256: InlineArray { SHA2.start[$0] >> 32 }
      case .sha512: SHA2.start
      }
  }

  /// Adds bytes.
  package mutating func update(_ bytes: [UInt8]) {
    byteCount += bytes.count
    rest += bytes
    let end = rest.count - rest.count % function.byteCounts.block
    guard end > 0 else { return }
    mix(rest, until: end)
    rest.removeFirst(end)
  }

  /// The digest of all bytes so far.
  package var digest: [UInt8] { digest(endingWith: []) }

  fileprivate consuming func digest(endingWith bytes: consuming [UInt8]) -> [UInt8] {
    let (size, _, count) = function.byteCounts
    let words = words(endingWith: bytes)
    return (0..<count).map { UInt8(truncatingIfNeeded: words[$0 / size] >> UInt64(8 * (size - 1 - $0 % size))) }
  }

  /// The chaining words after `bytes`, which are padded in place if their array is not shared.
  consuming func words(endingWith bytes: consuming [UInt8]) -> InlineArray<8, UInt64> {
    let sizes = function.byteCounts
    let bitCount = UInt64(byteCount + bytes.count) << 3
    if !rest.isEmpty { bytes.insert(contentsOf: rest, at: 0) }
    bytes.append(0x80)
    // The length takes the last two words of a block. Only the last 64 bits of it are written: no file needs more.
    let room = (2 * sizes.block - bytes.count % sizes.block - 2 * sizes.word) % sizes.block
    bytes += Self.zeros.prefix(room + 2 * sizes.word)
    for place in 1...8 { bytes[bytes.count - place] = UInt8(truncatingIfNeeded: bitCount >> (8 * UInt64(place - 1))) }
    mix(bytes, until: bytes.count)
    return state
  }

  private mutating func mix(_ bytes: [UInt8], until end: Int) {
    switch function {
    case .sha1: SHA1.mix(bytes, until: end, into: &state)
    case .sha256: SHA2.mix32(bytes, until: end, into: &state)
    case .sha512: SHA2.mix64(bytes, until: end, into: &state)
    }
  }
}

// The rounds use neither generics nor closures, which a debug build does not optimise away: the tests hash files, and an
// id for each sample.

private enum SHA1 {
  static func mix(_ bytes: [UInt8], until end: Int, into state: inout InlineArray<8, UInt64>) {
    var words = InlineArray<80, UInt32>(repeating: 0)
    var start = 0
    while start < end {
      SHA2.read(bytes, at: start, into: &words)
      var t = 16
      while t < 80 {
        words[t] = rotate(words[t &- 3] ^ words[t &- 8] ^ words[t &- 14] ^ words[t &- 16], 31)
        t = t &+ 1
      }
      var (a, b, c) = (UInt32(state[0]), UInt32(state[1]), UInt32(state[2]))
      var (d, e) = (UInt32(state[3]), UInt32(state[4]))
      t = 0
      while t < 80 {
        var mixed: UInt32
        if t < 20 {
          mixed = (d ^ b & (c ^ d)) &+ 0x5A82_7999
        } else if t < 40 {
          mixed = (b ^ c ^ d) &+ 0x6ED9_EBA1
        } else if t < 60 {
          mixed = (b & c | d & (b | c)) &+ 0x8F1B_BCDC
        } else {
          mixed = (b ^ c ^ d) &+ 0xCA62_C1D6
        }
        (e, d, c, b, a) = (d, c, rotate(b, 2), a, mixed &+ rotate(a, 27) &+ e &+ words[t])
        t = t &+ 1
      }
      SHA2.add([a, b, c, d, e, 0, 0, 0], to: &state)
      start += 64
    }
  }
}

/// SHA-256 and SHA-512 are one function for words of 32 and 64 bits: they differ in the number of rounds and the amounts of
/// rotation, and the constants of the one are the upper halves of the other's.
private enum SHA2 {
  /// The fractional parts of the square roots of the first eight primes.
  static let start: InlineArray<8, UInt64> = [
    0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
    0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
  ]

  /// The fractional parts of the cube roots of the first 80 primes.
  static let constants: InlineArray<80, UInt64> = [
    0x428A_2F98_D728_AE22, 0x7137_4491_23EF_65CD, 0xB5C0_FBCF_EC4D_3B2F, 0xE9B5_DBA5_8189_DBBC,
    0x3956_C25B_F348_B538, 0x59F1_11F1_B605_D019, 0x923F_82A4_AF19_4F9B, 0xAB1C_5ED5_DA6D_8118,
    0xD807_AA98_A303_0242, 0x1283_5B01_4570_6FBE, 0x2431_85BE_4EE4_B28C, 0x550C_7DC3_D5FF_B4E2,
    0x72BE_5D74_F27B_896F, 0x80DE_B1FE_3B16_96B1, 0x9BDC_06A7_25C7_1235, 0xC19B_F174_CF69_2694,
    0xE49B_69C1_9EF1_4AD2, 0xEFBE_4786_384F_25E3, 0x0FC1_9DC6_8B8C_D5B5, 0x240C_A1CC_77AC_9C65,
    0x2DE9_2C6F_592B_0275, 0x4A74_84AA_6EA6_E483, 0x5CB0_A9DC_BD41_FBD4, 0x76F9_88DA_8311_53B5,
    0x983E_5152_EE66_DFAB, 0xA831_C66D_2DB4_3210, 0xB003_27C8_98FB_213F, 0xBF59_7FC7_BEEF_0EE4,
    0xC6E0_0BF3_3DA8_8FC2, 0xD5A7_9147_930A_A725, 0x06CA_6351_E003_826F, 0x1429_2967_0A0E_6E70,
    0x27B7_0A85_46D2_2FFC, 0x2E1B_2138_5C26_C926, 0x4D2C_6DFC_5AC4_2AED, 0x5338_0D13_9D95_B3DF,
    0x650A_7354_8BAF_63DE, 0x766A_0ABB_3C77_B2A8, 0x81C2_C92E_47ED_AEE6, 0x9272_2C85_1482_353B,
    0xA2BF_E8A1_4CF1_0364, 0xA81A_664B_BC42_3001, 0xC24B_8B70_D0F8_9791, 0xC76C_51A3_0654_BE30,
    0xD192_E819_D6EF_5218, 0xD699_0624_5565_A910, 0xF40E_3585_5771_202A, 0x106A_A070_32BB_D1B8,
    0x19A4_C116_B8D2_D0C8, 0x1E37_6C08_5141_AB53, 0x2748_774C_DF8E_EB99, 0x34B0_BCB5_E19B_48A8,
    0x391C_0CB3_C5C9_5A63, 0x4ED8_AA4A_E341_8ACB, 0x5B9C_CA4F_7763_E373, 0x682E_6FF3_D6B2_B8A3,
    0x748F_82EE_5DEF_B2FC, 0x78A5_636F_4317_2F60, 0x84C8_7814_A1F0_AB72, 0x8CC7_0208_1A64_39EC,
    0x90BE_FFFA_2363_1E28, 0xA450_6CEB_DE82_BDE9, 0xBEF9_A3F7_B2C6_7915, 0xC671_78F2_E372_532B,
    0xCA27_3ECE_EA26_619C, 0xD186_B8C7_21C0_C207, 0xEADA_7DD6_CDE0_EB1E, 0xF57D_4F7F_EE6E_D178,
    0x06F0_67AA_7217_6FBA, 0x0A63_7DC5_A2C8_98A6, 0x113F_9804_BEF9_0DAE, 0x1B71_0B35_131C_471B,
    0x28DB_77F5_2304_7D84, 0x32CA_AB7B_40C7_2493, 0x3C9E_BE0A_15C9_BEBC, 0x431D_67C4_9C10_0D4C,
    0x4CC5_D4BE_CB3E_42B6, 0x597F_299C_FC65_7E2A, 0x5FCB_6FAB_3AD6_FAEC, 0x6C44_198C_4A47_5817,
  ]

  static func mix32(_ bytes: [UInt8], until end: Int, into state: inout InlineArray<8, UInt64>) {
    let constants = Self.constants
    var words = InlineArray<80, UInt32>(repeating: 0)
    var start = 0
    while start < end {
      read(bytes, at: start, into: &words)
      var (a, b, c, d) = (UInt32(state[0]), UInt32(state[1]), UInt32(state[2]), UInt32(state[3]))
      var (e, f, g, h) = (UInt32(state[4]), UInt32(state[5]), UInt32(state[6]), UInt32(state[7]))
      var t = 0
      while t < 64 {
        if t >= 16 {
          let (x, y) = (words[t &- 15], words[t &- 2])
          let added = (rotate(x, 7) ^ rotate(x, 18) ^ x &>> 3) &+ (rotate(y, 17) ^ rotate(y, 19) ^ y &>> 10)
          words[t] = words[t &- 16] &+ words[t &- 7] &+ added
        }
        let constant = UInt32(truncatingIfNeeded: constants[t] &>> 32)
        let sum = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
        let one = h &+ sum &+ (g ^ e & (f ^ g)) &+ constant &+ words[t]
        let two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ (a & b | c & (a | b))
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
        t = t &+ 1
      }
      add([a, b, c, d, e, f, g, h], to: &state)
      start += 64
    }
  }

  static func mix64(_ bytes: [UInt8], until end: Int, into state: inout InlineArray<8, UInt64>) {
    let constants = Self.constants
    var words = InlineArray<80, UInt64>(repeating: 0)
    var start = 0
    while start < end {
      var t = 0
      while t < 16 {
        words[t] = BigEndian.number(of: bytes[start + 8 * t..<start + 8 * t + 8])
        t = t &+ 1
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      t = 0
      while t < 80 {
        if t >= 16 {
          let (x, y) = (words[t &- 15], words[t &- 2])
          let added = (rotate(x, 1) ^ rotate(x, 8) ^ x &>> 7) &+ (rotate(y, 19) ^ rotate(y, 61) ^ y &>> 6)
          words[t] = words[t &- 16] &+ words[t &- 7] &+ added
        }
        let sum = rotate(e, 14) ^ rotate(e, 18) ^ rotate(e, 41)
        let one = h &+ sum &+ (g ^ e & (f ^ g)) &+ constants[t] &+ words[t]
        let two = (rotate(a, 28) ^ rotate(a, 34) ^ rotate(a, 39)) &+ (a & b | c & (a | b))
        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ one, c, b, a, one &+ two)
        t = t &+ 1
      }
      let sums: InlineArray<8, UInt64> = [a, b, c, d, e, f, g, h]
      for index in sums.indices { state[index] = state[index] &+ sums[index] }
      start += 128
    }
  }

  /// Reads a block of sixteen words.
  @inline(__always) static func read(_ bytes: [UInt8], at start: Int, into words: inout InlineArray<80, UInt32>) {
    var (t, place) = (0, start)
    while t < 16 {
      let upper = UInt32(truncatingIfNeeded: bytes[place]) &<< 24 | UInt32(truncatingIfNeeded: bytes[place &+ 1]) &<< 16
      let lower = UInt32(truncatingIfNeeded: bytes[place &+ 2]) &<< 8 | UInt32(truncatingIfNeeded: bytes[place &+ 3])
      words[t] = upper | lower
      t = t &+ 1
      place = place &+ 4
    }
  }

  static func add(_ words: InlineArray<8, UInt32>, to state: inout InlineArray<8, UInt64>) {
    for index in words.indices { state[index] = UInt64(UInt32(state[index]) &+ words[index]) }
  }
}

@_transparent private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }
@_transparent private func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word &>> count | word &<< (64 &- count) }
