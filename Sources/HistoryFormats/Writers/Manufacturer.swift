// SPDX-License-Identifier: Apache-2.0
import CGMModel

extension SensorFamily {
  /// Who makes the sensor; nil where the family is not known.
  var manufacturer: String? { self == .unknown ? nil : "Abbott" }
}
