// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Source of a value: a wear of a sensor that libre read, or a device in another program's history.
package enum ValueSource: Hashable, Sendable {
  case sensor(SensorIdentity, wear: Int)
  case imported(source: String, device: String?)

  var isOwn: Bool { if case .sensor = self { true } else { false } }
}
