// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Reason why no meter could be reached: the system, the adapter, the pairing or the link. What goes wrong in a transfer
/// from a connected meter is a `MeterError`.
///
/// `meter` is the name that the user knows, or the address.
package enum BluetoothError: ExplainedError {
  case notInThisBuild
  /// A missing shared library, or a function that it lacks.
  case libraryMissing(String)
  case noBus(reason: String)
  case busLost(reason: String)
  case noDaemon
  case accessDenied

  case noAdapter
  case adapterOff(name: String, RadioBlock?)
  /// Another program uses the adapter in a way that excludes this one.
  case adapterBusy(name: String)
  case silent(what: String, seconds: Int)
  case failed(what: String, reason: String)

  /// The meter is known but not in the air, or no longer known to the service.
  case notFound(meter: String)
  /// The meter does not answer, is busy with another device, or is too far away.
  case outOfReach(meter: String, reason: String)
  case linkLost(meter: String)
  /// The link to a paired meter ends at once: one side has forgotten the pairing.
  case pairingForgotten(meter: String)

  /// No user can be asked for the digits.
  case passkeyNeeded(meter: String)
  case passkeyRefused(meter: String)
  /// It was not confirmed that both sides show the same digits.
  case passkeyNotConfirmed(meter: String)
  case pairingCancelled(meter: String)
  /// The meter refused, or was not in its pairing mode.
  case pairingRefused(meter: String, reason: String)
  case pairingTimedOut(meter: String)

  /// The user or the program ended it.
  case cancelled

  package var explanation: (code: String, message: String) {
    switch self {
    case .notInThisBuild: ("bluetooth_not_in_this_build", "this build of libre was made without Bluetooth")
    case .libraryMissing(let library): ("bluetooth_library_missing", "the library \(library) is not installed")
    case .noBus(let reason): ("no_message_bus", "the system's message bus cannot be reached: \(reason)")
    case .busLost(let reason): ("message_bus_lost", "the connection to the system's message bus ended: \(reason)")
    case .noDaemon: ("no_bluetooth_service", "bluetoothd, the Bluetooth service, is not running")
    case .accessDenied: ("bluetooth_access_denied", "the system denies you access to Bluetooth")
    case .noAdapter: ("no_bluetooth_adapter", "this machine has no Bluetooth adapter")
    case .adapterOff(let name, .hard):
      ("bluetooth_adapter_blocked", "the Bluetooth adapter \(name) is switched off by a switch or key of this machine")
    case .adapterOff(let name, .soft):
      ("bluetooth_adapter_blocked", "the Bluetooth adapter \(name) is blocked by the system (rfkill)")
    case .adapterOff(let name, nil): ("bluetooth_adapter_off", "the Bluetooth adapter \(name) is switched off")
    case .adapterBusy(let name): ("bluetooth_adapter_busy", "another program is using the Bluetooth adapter \(name)")
    case .silent(let what, let seconds):
      ("bluetooth_silent", "the Bluetooth service did not answer within \(seconds) seconds: \(what)")
    case .failed(let what, let reason): ("bluetooth_failed", "the Bluetooth service reports: \(reason), for: \(what)")
    case .notFound(let meter): ("meter_not_found", "\(meter) was not found")
    case .outOfReach(let meter, let reason): ("meter_out_of_reach", "\(meter) could not be connected: \(reason)")
    case .linkLost(let meter): ("meter_link_lost", "\(meter) ended the connection before it was ready")
    case .pairingForgotten(let meter):
      (
        "meter_pairing_forgotten",
        "\(meter) is paired with this machine, but each connection ends at once: one side has forgotten the pairing"
      )
    case .passkeyNeeded(let meter):
      (
        "passkey_needed",
        "\(meter) ended the pairing, as meters do that want digits, and there is no terminal to ask for them"
      )
    case .passkeyRefused(let meter): ("passkey_refused", "\(meter) did not accept the digits")
    case .passkeyNotConfirmed(let meter):
      (
        "passkey_not_confirmed",
        "it was not confirmed that \(meter) and this machine show the same six digits, so they were not paired"
      )
    case .pairingCancelled(let meter): ("pairing_cancelled", "pairing with \(meter) was cancelled")
    case .pairingRefused(let meter, let reason): ("pairing_refused", "\(meter) did not pair: \(reason)")
    case .pairingTimedOut(let meter): ("pairing_timed_out", "pairing with \(meter) took too long")
    case .cancelled: ("cancelled", "cancelled")
    }
  }
}

/// Reason why a radio is off (`/sys/class/rfkill`).
package enum RadioBlock: String, Hashable, Sendable, CaseIterable {
  /// A program, such as flight mode.
  case soft
  /// A switch or key of the machine.
  case hard
}
