// SPDX-License-Identifier: Apache-2.0
import CGMModel

extension SensorFamily {
  /// The maker of the sensor; nil if the family is not known.
  var manufacturer: String? { self == .unknown ? nil : "Abbott" }
}
