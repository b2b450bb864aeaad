// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Reproducible ids (RFC 9562, version 5): the same sample has the same id on every machine.
package enum UUIDv5 {
  /// `c3f2251d-481a-5aa5-9287-7fe29e7174b8` (LibreDocuments/Contract, "Ids").
  static let namespace = SampleID(high: 0xC3F2_251D_481A_5AA5, low: 0x9287_7FE2_9E71_74B8)

  /// The id of `name` in libre's namespace.
  package static func id(of name: String) -> SampleID { Start(name).id }

  /// The common start of many names.
  ///
  /// A sample's name and the namespace are one block of SHA-1 together, so that there is no state worth keeping.
  struct Start {
    private let name: [UInt8]

    init(_ text: String) { name = namespace.bytes + text.utf8 }

    /// The start of the names of a sensor's samples in one ring.
    init(_ uid: SensorUID, _ ring: SampleRing) { self.init("\(uid)/\(ring.rawValue)/") }

    /// The id of the name without an ending.
    var id: SampleID { id(endingWith: "") }

    /// The id of the name that ends with `end`.
    func id(endingWith end: String) -> SampleID {
      SampleID(bytes: HashFunction.sha1.digest(of: name + end.utf8), version: 5)
    }

    /// The id of a sample; from a sensor's second wear on, the wear is part of it.
    func id(_ minute: SensorMinute, wear: Int = 1) -> SampleID {
      id(endingWith: wear > 1 ? "\(minute)/\(wear)" : minute.description)
    }
  }

  /// The starts of a sensor's samples, kept until the next sensor: a history has thousands of one.
  struct Starts {
    private var uid: SensorUID?
    private var history = Start("")
    private var trend = Start("")

    /// The id of a sample; nil if its sensor's UID is unknown.
    mutating func id(of stored: StoredSample) -> SampleID? {
      guard let uid = stored.sensor.uid else { return nil }
      if uid != self.uid { (self.uid, history, trend) = (uid, Start(uid, .history), Start(uid, .trend)) }
      let start =
        switch stored.sample.ring {
        case .history: history
        case .trend: trend
        }
      return start.id(stored.sample.minute, wear: stored.wear)
    }
  }

  /// The id of a sample; from a sensor's second wear on, the wear is part of it.
  package static func sample(uid: SensorUID, ring: SampleRing, minute: SensorMinute, wear: Int = 1) -> SampleID {
    Start(uid, ring).id(minute, wear: wear)
  }
}
