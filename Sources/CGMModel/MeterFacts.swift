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
