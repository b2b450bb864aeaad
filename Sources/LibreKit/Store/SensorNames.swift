// SPDX-License-Identifier: Apache-2.0
package import CGMModel
import TextFormats

/// Names of sensors for people.
package enum SensorNames {
  /// The shortest unique name: serial, UID, or the beginning of the fingerprint.
  package static func short(_ sensor: SensorIdentity) -> String {
    sensor.serial ?? sensor.uid?.description ?? sensor.fingerprint.map { "without UID, \($0.description.prefix(8))…" }
      ?? "without UID"
  }

  /// The name with the product: `FreeStyle Libre 0M00009DHCR`.
  package static func title(_ sensor: SensorIdentity) -> String { "\(sensor.family.productName) \(short(sensor))" }

  /// The name of a device in another program's history: `imported libreview FreeStyle LibreLink`.
  package static func title(_ imported: ImportedSample) -> String {
    title(source: imported.source, device: imported.device)
  }

  package static func title(source: String, device: String?) -> String {
    SafeText.line(["imported", source, device ?? ""].filter { !$0.isEmpty }.joined(separator: " "))
  }

  /// The name with the product, and the number of a wear after the first.
  package static func title(_ sensor: SensorIdentity, wear: Int) -> String {
    wear > 1 ? "\(title(sensor)), wear \(wear)" : title(sensor)
  }
}
