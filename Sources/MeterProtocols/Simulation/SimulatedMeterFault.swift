// SPDX-License-Identifier: Apache-2.0

/// One thing that goes wrong in a simulated meter.
enum SimulatedMeterFault: String, Sendable, CaseIterable {
  /// The link is lost in the middle of the transfer.
  case drop
  /// All records come, but the meter never says that it is done.
  case silent
  /// The notes on records come after the end.
  case lateContext = "late-context"
  /// The notes on records do not come.
  case noContext = "no-context"
  /// Each notification comes twice.
  case double
  /// The meter has forgotten the pairing.
  case unpaired
  /// The meter cannot select records by number.
  case allOnly = "all-only"
  /// The meter was reset: its records are numbered from 0.
  case reset

  /// The fault in words that follow "a glucose meter", "a cuff" or "a OneTouch meter".
  var summary: String {
    switch self {
    case .drop: "whose connection is lost in the middle"
    case .silent: "that never says that it is done"
    case .lateContext: "that sends the notes on its records late"
    case .noContext: "that announces notes and does not send them"
    case .double: "that sends everything twice"
    case .unpaired: "that has forgotten the pairing"
    case .allOnly: "that cannot select records by number"
    case .reset: "that was reset, so that it counts from 0 again"
    }
  }
}
