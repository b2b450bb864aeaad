// SPDX-License-Identifier: Apache-2.0

/// Facts that identify a meter: its serial number, or its address until the serial number is known.
package struct MeterFacts: Hashable, Sendable {
  /// Bluetooth address, `AA:BB:CC:DD:EE:FF`.
  package var address: String
  package var serial: String?
  package var maker: String?
  package var model: String?
  package var name: String?

  package init(
    address: String, serial: String? = nil, maker: String? = nil, model: String? = nil, name: String? = nil
  ) {
    (self.address, self.serial) = (address, serial)
    (self.maker, self.model, self.name) = (maker, model, name)
  }

  /// Name of the meter as the source of its measurements, different for each meter: `Contour Next One 7830123`.
  package var source: String {
    // A model alone may be a bare number.
    let isNamed = maker.map { model?.hasPrefix($0) ?? true } ?? true
    let label = isNamed ? model ?? name ?? maker ?? "meter" : [maker, model].compactMap { $0 }.joined(separator: " ")
    let number = serial ?? address
    return label.hasSuffix(number) ? label : "\(label) \(number)"
  }
}

/// A record of a meter, as it is kept.
package struct MeterRow: Hashable, Sendable {
  package enum Key: Hashable, Sendable {
    case sequence(Int)
    /// All facts of a record of a meter that does not number its records.
    case facts(String)

    package var text: String {
      switch self {
      case .sequence(let number): String(number)
      case .facts(let facts): facts
      }
    }

    package var sequence: Int? { if case .sequence(let number) = self { number } else { nil } }
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
