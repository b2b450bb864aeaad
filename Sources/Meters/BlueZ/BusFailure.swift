// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Reason why a call to bluetoothd has no result. What that means depends on the call, so each caller decides.
enum BusFailure: Error, Hashable, Sendable {
  /// The reply was an error: `org.bluez.Error.Failed`, `Not connected`.
  case error(name: String, text: String)
  case overdue(seconds: Int)
  /// The caller no longer waits.
  case cancelled
  /// The bus or the program is gone, or the system refuses.
  case system(BluetoothError)

  /// The last part of an error's name: `NotReady`.
  var kind: Substring {
    if case .error(let name, _) = self { name.split(separator: ".").last ?? "" } else { "" }
  }

  private var text: String { if case .error(_, let text) = self { text } else { "" } }

  var reason: String {
    switch self {
    case .error(let name, let text): text.isEmpty ? name : text
    case .overdue(let seconds): "no answer within \(seconds) s"
    case .cancelled: "cancelled"
    case .system(let error): error.message
    }
  }

  /// The error for a call whose failures mean nothing particular. `what`: what the call was for.
  func error(_ what: String) -> BluetoothError {
    switch self {
    case .overdue(let seconds): .silent(what: what, seconds: seconds)
    case .cancelled: .cancelled
    case .system(let error): error
    case .error(let name, _):
      switch kind {
      case "ServiceUnknown", "NameHasNoOwner": .noDaemon
      case "AccessDenied": .accessDenied
      default: .failed(what: what, reason: reason.isEmpty ? name : reason)
      }
    }
  }

  /// Event for the failure of a read, a subscription or a write.
  var event: MeterEvent {
    switch self {
    case .cancelled: .cancelled
    case .overdue: .quiet
    case .system: .disconnected
    case .error:
      switch kind {
      case "NotConnected", "UnknownObject", "NoReply", "ServiceUnknown", "NameHasNoOwner": .disconnected
      case "Failed" where text == "Not connected": .disconnected
      case "Failed": .refused(attError.map { MeterRefusal(attError: $0) } ?? .other(reason))
      case "InProgress": .refused(.busy)
      case "NotAuthorized": .refused(.notPaired)
      case "NotPermitted": .refused(text == "Not paired" ? .notPaired : .notPermitted)
      case "NotSupported": .refused(.notPermitted)
      case "DoesNotExist", "UnknownMethod": .refused(.absent)
      default: .refused(.other(reason))
      }
    }
  }

  /// The number in `Operation failed with ATT error: 0x81`.
  private var attError: UInt8? {
    guard let place = text.firstRange(of: "ATT error: 0x") else { return nil }
    return UInt8(text[place.upperBound...].prefix { $0.isHexDigit }, radix: 16)
  }
}
