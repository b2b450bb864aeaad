// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import LibreKit

extension LibreError {
  /// The values that the setting or the option of the error allows, in words.
  var allowed: String {
    switch cause as? ConfigurationError {
    case .badValue(_, _, _, let allowed), .badOption(_, _, let allowed): allowed
    default: ""
    }
  }
}
