// SPDX-License-Identifier: Apache-2.0
public import CGMModel
import Crypto

/// Reproducible ids (RFC 9562, version 5): the same sample has the same id on every machine.
public enum UUIDv5 {
  /// `c3f2251d-481a-5aa5-9287-7fe29e7174b8` (LibreDocuments/Contract, "Ids").
  static let namespace = SampleID(high: 0xC3F2_251D_481A_5AA5, low: 0x9287_7FE2_9E71_74B8)

  /// The id of `name` in libre's namespace.
  public static func id(of name: String) -> SampleID { Start(name).id }

  /// The common start of many names, which is hashed once.
  struct Start {
    private var hash = Insecure.SHA1()

    init(_ text: String) {
      hash.update(data: namespace.bytes)
      hash.update(data: Array(text.utf8))
    }

    /// The id of the name without an ending.
    var id: SampleID { SampleID(bytes: Array(hash.finalize()), version: 5) }

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
