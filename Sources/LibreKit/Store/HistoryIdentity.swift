// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TextFormats

extension HistoryEntry {
  /// With the id that its facts give it: the same value imported twice, or on two machines, is one value.
  ///
  /// | entry | name that is hashed |
  /// |---|---|
  /// | a sensor's sample | CONTRACT 3 |
  /// | imported | `imported/<source>/<device>/<ring>/<time>` |
  /// | finger-stick | `finger_stick/<time>/<mg/dL, at most 4 decimals>` |
  func identified() -> HistoryEntry {
    switch self {
    case .sensor(var stored):
      stored.sample.id = stored.sensor.uid.map {
        UUIDv5.sample(uid: $0, ring: stored.sample.ring, minute: stored.sample.minute, wear: stored.wear)
      }
      return .sensor(stored)
    case .imported(var imported):
      let device = imported.device ?? "-"
      imported.id = UUIDv5.id(
        of: "imported/\(imported.source)/\(device)/\(imported.ring.rawValue)/\(imported.time.rfc3339)")
      return .imported(imported)
    case .fingerStick(var stick):
      let value = DecimalText.shortest(stick.concentration.milligramsPerDecilitre, places: 4)
      stick.id = UUIDv5.id(of: "finger_stick/\(stick.time.rfc3339)/\(value)")
      return .fingerStick(stick)
    }
  }
}
