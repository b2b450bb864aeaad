// SPDX-License-Identifier: Apache-2.0
package import CGMModel

package struct StoredMeter: Hashable, Sendable {
  package struct ID: Hashable, Sendable { let row: Int }

  /// The record from which the next reading continues. If the meter answers with another record for this number, or with
  /// none, its numbers were set back.
  package struct Probe: Hashable, Sendable {
    package let sequence: Int
    package let packet: [UInt8]

    package init(sequence: Int, packet: [UInt8]) { (self.sequence, self.packet) = (sequence, packet) }
  }

  package let id: ID
  package let facts: MeterFacts
  /// nil if the meter has no sequence numbers, or nothing was read yet.
  package let probe: Probe?
  package let lastReadAt: Instant?
  package let fingerSticks: Int
  package let bloodPressures: Int
  package let leftAside: Int
  /// True after `forget`: its measurements are still in the store, and its next reading begins with its first record.
  package let isForgotten: Bool
}

package struct MeterRow: Hashable, Sendable {
  package enum Key: Hashable, Sendable {
    case sequence(Int)
    /// All facts of a record of a meter that does not number its records.
    case facts(String)

    var text: String {
      switch self {
      case .sequence(let number): String(number)
      case .facts(let facts): facts
      }
    }

    var sequence: Int? { if case .sequence(let number) = self { number } else { nil } }
  }

  package enum Content: Hashable, Sendable {
    /// A finger-stick or a blood pressure, with an id.
    case entry(HistoryEntry)
    /// A stable name, such as `control_solution`, which is stored, and a text: lower case, without a full stop.
    case leftAside(code: String, message: String)

    package var entry: HistoryEntry? { if case .entry(let entry) = self { entry } else { nil } }
  }

  package let key: Key
  /// Value as sent, in words that no reading changes.
  package let value: String
  /// Time by the meter's inner clock; nil if it has none.
  package let baseTime: CivilTime?
  /// Time as the meter's display shows it; nil if unknown.
  package let meterTime: CivilTime?
  package let packets: [[UInt8]]
  package let result: Content

  package init(
    key: Key, value: String, baseTime: CivilTime?, meterTime: CivilTime?, packets: [[UInt8]], result: Content
  ) {
    (self.key, self.value, self.baseTime, self.meterTime) = (key, value, baseTime, meterTime)
    (self.packets, self.result) = (packets, result)
  }
}
