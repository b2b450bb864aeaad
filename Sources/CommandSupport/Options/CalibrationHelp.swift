// SPDX-License-Identifier: Apache-2.0
package import LibreKit

extension CalibrationEntry {
  package static func help(default: String = Setting.calibration.defaultValue) -> String {
    "Calibration, which turns counts (the sensor's raw values) into glucose: "
      + Catalogue.standard.calibrations.map { "\($0.usage) (\($0.summary))" }.joined(separator: "; ") + ". "
      + Catalogue.standard.calibrations.compactMap({ $0.caution }).map { "\($0) " }.joined() + "Default: \(`default`)."
  }
}
