// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// UID of the tag as the reader stores it since the tag came: nothing is sent on air.
///
/// The byte order is not standardized: an OMNIKEY 5321 puts `E0` last, others first (read).
struct CardUID: Hashable, Sendable {
  /// PC/SC command that returns it.
  static let command: [UInt8] = [0xFF, 0xCA, 0x00, 0x00, 0x00]

  /// UID; nil if both byte orders are possible: then only the tag itself can decide (`ISO15693.Request.inventory`).
  let sensor: SensorUID?

  /// Parses the answer to `command`; nil unless it is the UID of an ISO 15693 tag: eight bytes, `E0` at one end.
  ///
  /// If `E0` is at both ends, the order with a sensor manufacturer next to it is chosen.
  init?(_ answer: [UInt8]) {
    guard let answer = ResponseAPDU(answer), answer.status.outcome == nil, answer.data.count == 8 else { return nil }
    let orders = [answer.data[...], answer.data.reversed()[...]].compactMap { SensorUID(onAir: $0) }
    guard let first = orders.first else { return nil }
    let likely = orders.filter { ISO15693.Manufacturer(rawValue: $0.manufacturer) != nil }
    sensor = orders.count == 1 ? first : likely.count == 1 ? likely[0] : nil
  }
}
