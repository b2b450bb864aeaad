// SPDX-License-Identifier: Apache-2.0
import TextFormats

package enum SensorNames {
  /// Serial, UID, or the beginning of the fingerprint.
  package static func short(_ sensor: SensorIdentity) -> String {
    sensor.serial ?? sensor.uid?.description ?? sensor.fingerprint.map { "without UID, \($0.description.prefix(8))…" }
      ?? "without UID"
  }

  /// `FreeStyle Libre 0M00009DHCR`.
  package static func title(_ sensor: SensorIdentity) -> String { "\(sensor.productName) \(short(sensor))" }

  /// `imported libreview FreeStyle LibreLink`.
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
