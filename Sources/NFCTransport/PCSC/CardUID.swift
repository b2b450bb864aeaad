// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// The UID of the tag as the reader tells it, which it remembers from the moment the tag came: nothing is sent on air.
///
/// The order of the bytes is not laid down: an OMNIKEY 5321 puts `E0` last, others first (read).
struct CardUID: Hashable, Sendable {
  /// The PC/SC command for it.
  static let command: [UInt8] = [0xFF, 0xCA, 0x00, 0x00, 0x00]

  /// nil if it could be read from both ends: then only the tag itself can tell (`ISO15693.Request.inventory`).
  let sensor: SensorUID?

  /// Reads the answer to `command`; nil unless it is the UID of an ISO 15693 tag: eight bytes, `E0` at an end.
  ///
  /// With `E0` at both ends it counts at which of them a maker of sensors follows.
  init?(_ answer: [UInt8]) {
    guard let answer = ResponseAPDU(answer), answer.status.outcome == nil, answer.data.count == 8 else { return nil }
    let orders = [answer.data[...], answer.data.reversed()[...]].compactMap { SensorUID(onAir: $0) }
    guard let first = orders.first else { return nil }
    let likely = orders.filter { ISO15693.Manufacturer(rawValue: $0.manufacturer) != nil }
    sensor = orders.count == 1 ? first : likely.count == 1 ? likely[0] : nil
  }
}
