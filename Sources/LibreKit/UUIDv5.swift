// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Crypto
import HostSystem

/// Identities that anyone can compute again (RFC 9562, version 5): the same sample has the same id on every machine.
public enum UUIDv5 {
  /// `c3f2251d-481a-5aa5-9287-7fe29e7174b8` (CONTRACT 3).
  static let namespace = SampleID(high: 0xC3F2_251D_481A_5AA5, low: 0x9287_7FE2_9E71_74B8)

  /// The id of `name` in libre's namespace.
  public static func id(of name: String) -> SampleID { Start(name).id }

  /// How many names begin: what they share is hashed once.
  struct Start {
    private var hash = Insecure.SHA1()

    init(_ text: String) {
      hash.update(data: BigEndian.bytes(of: namespace.high) + BigEndian.bytes(of: namespace.low))
      hash.update(data: Array(text.utf8))
    }

    /// The id of the name that ends here.
    var id: SampleID {
      let digest = Array(hash.finalize())
      let high = BigEndian.number(of: digest[0..<8])
      let low = BigEndian.number(of: digest[8..<16])
      return SampleID(
        high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x5000, low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// The id of the name that ends with `end`.
    func id(endingWith end: String) -> SampleID {
      var longer = self
      longer.hash.update(data: Array(end.utf8))
      return longer.id
    }
  }

  /// The id of a sample; from a sensor's second wear on, the wear is part of it.
  public static func sample(uid: SensorUID, ring: SampleRing, minute: SensorMinute, wear: Int = 1) -> SampleID {
    let name = "\(uid)/\(ring.rawValue)/\(minute)"
    return id(of: wear > 1 ? "\(name)/\(wear)" : name)
  }
}

/// SHA-256 as lower-case hex.
enum Fingerprint {
  static func sha256(of bytes: [UInt8]) -> String { HexText.string(of: SHA256.hash(data: bytes)).lowercased() }

  /// Of a file of any size, which is never in memory as a whole.
  static func sha256(ofFileAt path: String) throws(LibreError) -> String {
    var hash = SHA256()
    try Files.reading { () throws(InputError) in
      let file = try FileReader(path)
      while let piece = try file.next() { hash.update(data: piece) }
    }
    return HexText.string(of: hash.finalize()).lowercased()
  }
}
