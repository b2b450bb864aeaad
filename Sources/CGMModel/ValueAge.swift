// SPDX-License-Identifier: Apache-2.0

/// The age from which a glucose value is no longer the present one, wherever one is shown as such: on a terminal, on a
/// page, in metrics, at a receiver.
package enum ValueAge {
  /// Limit in minutes (libre's own choice): a sensor measures each minute and keeps a value every quarter of an hour.
  package static let staleMinutes = 20
}
