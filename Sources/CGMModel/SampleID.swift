// SPDX-License-Identifier: Apache-2.0

/// The 128 bits of a UUID: the identity of a sample or of another value.
public struct SampleID: Hashable, Sendable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The UUID made of the first 16 bytes. Those of a version are put at their place, if one is given.
  package init(bytes: [UInt8], version: UInt64? = nil) {
    let high = BigEndian.number(of: bytes.prefix(8))
    let low = BigEndian.number(of: bytes.dropFirst(8).prefix(8))
    if let version {
      self.init(high: high, low: low, version: version)
    } else {
      self.init(high: high, low: low)
    }
  }

  /// The UUID of exactly 16 bytes; nil for another number of them.
  package init?(exactly bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.init(bytes: bytes)
  }

  /// The UUID of these bits with those of its version and of RFC 9562's variant at their place.
  package init(high: UInt64, low: UInt64, version: UInt64) {
    self.high = high & 0xFFFF_FFFF_FFFF_0FFF | version << 12
    self.low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
  }

  /// The reproducible id (RFC 9562, version 5) of a name in libre's namespace: the same on every machine.
  package init(name: String) {
    self.init(hashing: Self.namespace + name.utf8)
  }

  private init(hashing name: consuming [UInt8]) {
    let words = RunningHash(.sha1).words(endingWith: name)
    self.init(high: words[0] << 32 | words[1], low: words[2] << 32 | words[3], version: 5)
  }

  /// The id of a sensor's sample. From the sensor's second wear on, the wear is part of it.
  package init(of sensor: SensorUID, wear: Int, _ ring: SampleRing, _ minute: SensorMinute) {
    // Room for the name and the padding of its hash, so that an export of thousands of samples makes one array for each.
    var name: [UInt8] = []
    name.reserveCapacity(128)
    name += Self.namespace
    HexText.append(sensor.bytes, to: &name)
    func append(_ part: String) {
      name.append(UInt8(ascii: "/"))
      name += part.utf8
    }
    append(ring.rawValue)
    append(minute.description)
    if wear > 1 { append(String(wear)) }
    self.init(hashing: name)
  }

  /// `c3f2251d-481a-5aa5-9287-7fe29e7174b8` (LibreDocuments/Contract, "Ids").
  private static let namespace = SampleID(high: 0xC3F2_251D_481A_5AA5, low: 0x9287_7FE2_9E71_74B8).bytes

  /// Reads RFC 9562 text; nil for anything else.
  public init?(text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map({ $0.utf8.count }) == [8, 4, 4, 4, 12], let bytes = HexText.bytes(of: parts.joined()) else {
      return nil
    }
    self.init(exactly: bytes)
  }

  package var bytes: [UInt8] { BigEndian.bytes(of: high) + BigEndian.bytes(of: low) }
}

extension SampleID: CustomStringConvertible {
  /// RFC 9562 text, lower case: `d1f5603b-c12a-549e-be27-e59866f73323`.
  public var description: String {
    var text: [UInt8] = []
    append(to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  private static let dashes = [UInt8](repeating: UInt8(ascii: "-"), count: 36)

  /// Appends the same text as `description` to a text.
  package func append(to text: inout [UInt8]) {
    let start = text.count
    text += Self.dashes
    var digits = text.mutableSpan
    var rest = high
    for position in 0..<36 {
      switch position {
      case 8, 13, 23: break
      case 18: rest = low
      default:
        let nibble = UInt8(truncatingIfNeeded: rest >> 60)
        digits[start + position] = nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        rest <<= 4
      }
    }
  }
}
