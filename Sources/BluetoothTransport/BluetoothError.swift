// SPDX-License-Identifier: Apache-2.0
package import CGMModel

/// Reason why no meter could be reached: the system, the adapter, the pairing or the link. What goes wrong in a transfer
/// from a connected meter is a `MeterError`.
///
/// `meter` is the name that the user knows, or the address.
package enum BluetoothError: ExplainedError {
  // MARK: The system

  /// This build was made without Bluetooth.
  case notInThisBuild
  /// A missing shared library, or a function that it lacks.
  case libraryMissing(String)
  /// The system's message bus cannot be reached.
  case noBus(reason: String)
  /// The connection to the message bus ended.
  case busLost(reason: String)
  /// The Bluetooth service bluetoothd is not running.
  case noDaemon
  /// The system denies this user access to Bluetooth.
  case accessDenied

  // MARK: The adapter

  case noAdapter
  /// The adapter is switched off.
  case adapterOff(name: String, RadioBlock?)
  /// Another program uses the adapter in a way that excludes this one.
  case adapterBusy(name: String)
  /// The Bluetooth service did not answer in time.
  case silent(what: String, seconds: Int)
  /// The Bluetooth service refused a call, with its own reason.
  case failed(what: String, reason: String)

  // MARK: The meter

  /// The meter is known but not in the air, or no longer known to the service.
  case notFound(meter: String)
  /// The meter does not answer, is busy with another device, or is too far away.
  case outOfReach(meter: String, reason: String)
  /// The link ended before the meter's services were known.
  case linkLost(meter: String)
  /// The link to a paired meter ends at once: one side has forgotten the pairing.
  case pairingForgotten(meter: String)

  // MARK: Pairing

  /// The meter asks for digits, and no user can be asked for them.
  case passkeyNeeded(meter: String)
  /// The digits were wrong.
  case passkeyRefused(meter: String)
  /// The user gave no digits.
  case pairingCancelled(meter: String)
  /// The meter refused, or was not in its pairing mode.
  case pairingRefused(meter: String, reason: String)
  /// Pairing took too long.
  case pairingTimedOut(meter: String)

  /// The user or the program ended it.
  case cancelled

  package var exitStatus: Int32 {
    switch self {
    case .accessDenied, .passkeyNeeded, .passkeyRefused, .pairingRefused, .pairingForgotten: 77
    case .cancelled, .pairingCancelled: 130
    case .notInThisBuild, .libraryMissing, .noBus, .busLost, .noDaemon, .noAdapter, .adapterOff, .adapterBusy, .silent,
      .failed, .notFound, .outOfReach, .linkLost, .pairingTimedOut:
      69
    }
  }

  package var explanation: ErrorExplanation {
    switch self {
    case .notInThisBuild:
      ErrorExplanation(
        "bluetooth_not_in_this_build", "this build of libre was made without Bluetooth",
        "build it with the trait Bluetooth, which is one of the defaults")
    case .libraryMissing(let library):
      ErrorExplanation(
        "bluetooth_library_missing", "the library \(library) is not installed", "sudo apt install libsystemd0")
    case .noBus(let reason):
      ErrorExplanation(
        "no_message_bus", "the system's message bus cannot be reached: \(reason)",
        "sudo apt install dbus; in a container, share /run/dbus/system_bus_socket of the host")
    case .busLost(let reason):
      ErrorExplanation(
        "message_bus_lost", "the connection to the system's message bus ended: \(reason)",
        "run the command again; libre doctor shows what is missing")
    case .noDaemon:
      ErrorExplanation(
        "no_bluetooth_service", "bluetoothd, the Bluetooth service, is not running",
        "sudo apt install bluez && sudo systemctl enable --now bluetooth")
    case .accessDenied:
      ErrorExplanation(
        "bluetooth_access_denied", "the system denies you access to Bluetooth",
        "run the command as a user of this machine itself; on some systems: sudo usermod -aG bluetooth \"$USER\", "
          + "then log in again")
    case .noAdapter:
      ErrorExplanation(
        "no_bluetooth_adapter", "this machine has no Bluetooth adapter",
        "plug in an adapter with Bluetooth 4.0 or newer; libre doctor shows whether the kernel sees it")
    case .adapterOff(let name, .hard):
      ErrorExplanation(
        "bluetooth_adapter_blocked", "the Bluetooth adapter \(name) is switched off by a switch or key of this machine",
        "turn Bluetooth on with that switch, or leave flight mode")
    case .adapterOff(let name, .soft):
      ErrorExplanation(
        "bluetooth_adapter_blocked", "the Bluetooth adapter \(name) is blocked by the system (rfkill)",
        "rfkill unblock bluetooth && bluetoothctl power on")
    case .adapterOff(let name, nil):
      ErrorExplanation(
        "bluetooth_adapter_off", "the Bluetooth adapter \(name) is switched off", "bluetoothctl power on")
    case .adapterBusy(let name):
      ErrorExplanation(
        "bluetooth_adapter_busy", "another program is using the Bluetooth adapter \(name)",
        "close the Bluetooth settings and other programs that search or pair, and run the command again")
    case .silent(let what, let seconds):
      ErrorExplanation(
        "bluetooth_silent", "the Bluetooth service did not answer within \(seconds) seconds: \(what)",
        "sudo systemctl restart bluetooth, and run the command again")
    case .failed(let what, let reason):
      ErrorExplanation(
        "bluetooth_failed", "the Bluetooth service reports: \(reason), for: \(what)",
        "run the command again; if that does not help: sudo systemctl restart bluetooth")
    case .notFound(let meter):
      ErrorExplanation(
        "meter_not_found", "\(meter) was not found",
        "switch the meter's Bluetooth on by a key or its menu, keep it within a few metres, and run the command again")
    case .outOfReach(let meter, let reason):
      ErrorExplanation(
        "meter_out_of_reach", "\(meter) could not be connected: \(reason)",
        "wake the meter with a key, keep it close, and close its app on nearby phones")
    case .linkLost(let meter):
      ErrorExplanation(
        "meter_link_lost", "\(meter) ended the connection before it was ready",
        "keep the meter close and awake, and run the command again")
    case .pairingForgotten(let meter):
      ErrorExplanation(
        "meter_pairing_forgotten",
        "\(meter) is paired with this machine but ends each connection: one side has "
          + "forgotten the pairing",
        "libre meter forget \(Self.word(meter)), remove this machine in the meter's menu, and pair again")
    case .passkeyNeeded(let meter):
      ErrorExplanation(
        "passkey_needed", "\(meter) wants digits for pairing, and there is no terminal to ask for them",
        "libre meter pair \(Self.word(meter)) --passkey DIGITS, with the digits on the meter's display or label")
    case .passkeyRefused(let meter):
      ErrorExplanation(
        "passkey_refused", "\(meter) did not accept the digits",
        "start pairing on the meter again and type the digits that it shows then")
    case .pairingCancelled(let meter):
      ErrorExplanation(
        "pairing_cancelled", "pairing with \(meter) was cancelled", "libre meter pair \(Self.word(meter)) starts again")
    case .pairingRefused(let meter, let reason):
      ErrorExplanation(
        "pairing_refused", "\(meter) did not pair: \(reason)",
        "start pairing mode on the meter (libre meters --supported says how), and run the command again within half "
          + "a minute")
    case .pairingTimedOut(let meter):
      ErrorExplanation(
        "pairing_timed_out", "pairing with \(meter) took too long",
        "start pairing mode on the meter again, and have the digits ready within a minute")
    case .cancelled: ErrorExplanation("cancelled", "cancelled", "run the command again")
    }
  }

  /// A name as a word of a command line.
  private static func word(_ text: String) -> String {
    text.utf8.allSatisfy {
      $0 == 0x3A || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
    }
      ? text : "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

/// Reason why a radio is off (`/sys/class/rfkill`).
package enum RadioBlock: String, Hashable, Sendable, CaseIterable {
  /// A program, such as flight mode.
  case soft
  /// A switch or key of the machine.
  case hard
}
