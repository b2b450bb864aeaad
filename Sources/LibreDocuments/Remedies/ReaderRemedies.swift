// SPDX-License-Identifier: Apache-2.0
package import LibreKit
package import Meters

extension TransportError: RemediedError {
  package var exitStatus: Int32 {
    switch self {
    case .unknownAddress: 64
    case .badTrace, .traceTooLong, .traceEnded, .otherTag, .otherCard: 65
    case .fileUnreadable, .flipperFile: 66
    case .notInThisBuild, .libraryMissing, .noDaemon, .serviceStuck, .noReader, .noPhone, .noReaderNamed,
      .readerLacks15693, .fourByteBlocks, .readerBusy, .readerUnplugged, .readerSilent, .readerUnfit, .readerFailed,
      .noTag, .tagSilent, .tagLost, .tag, .malformedResponse, .port(_, .missing), .port(_, .busy),
      .port(_, .notSerial):
      69
    case .accessDenied, .port(_, .denied): 77
    case .cancelled: 130
    }
  }

  package var resolution: String {
    switch self {
    case .unknownAddress:
      "libre readers lists your readers; sim:active is a simulated sensor, replay:TRACE a recorded one"
    case .notInThisBuild: "build it with its default traits: make optimised"
    case .fileUnreadable: "check the path and its permissions"
    case .badTrace: "correct the line or comment it out with #; libre read --trace FILE records a new trace"
    case .traceTooLong: "split it: each scan begins with # tap"
    case .traceEnded: "libre read --trace FILE records a complete read"
    case .libraryMissing(let name):
      name.contains("nfc") ? "sudo apt install libnfc6" : "sudo apt install libpcsclite1 pcscd"
    case .noDaemon: "libre doctor shows how to start it"
    case .serviceStuck: "sudo systemctl restart pcscd"
    case .accessDenied: "libre doctor shows how to get access"
    case .noReader: "plug one in; libre readers --supported lists readers that work, sim:active is a simulated sensor"
    case .noPhone(let port):
      (port == PhoneBackend.usualPort ? "" : "adb reverse tcp:\(port) tcp:\(port); ")
        + "\(PhoneBackend.settings(port: "\(port)")); then \(PhoneBackend.role)"
    case .noReaderNamed: "use part of a name that was found: --reader pcsc:NAME-PART"
    case .readerLacks15693: "libre readers --supported lists readers that can"
    case .fourByteBlocks: "update its firmware, or use another reader: libre readers --supported"
    case .readerBusy: "end that program and read again; often it is GnuPG: gpgconf --kill scdaemon"
    case .readerUnplugged: "plug it in and read again"
    case .readerSilent: "unplug it, plug it in and read again"
    case .port(_, .missing): "plug the reader in; libre readers lists the readers that are there, with their ports"
    case .port(_, .denied(let group)):
      group.map { "sudo usermod -aG \($0) \"$USER\"" }
        ?? "only root may use it: install libre's udev rules, which libre doctor shows"
    case .port(let path, .busy) where path.hasPrefix("TCP"):
      "end that program, or lead the phone to another port: adb reverse tcp:5567 tcp:5567, then --reader phone:5567"
    case .port(let path, .busy):
      "end that program, which fuser -v \(path) names; ModemManager lets go 20 seconds after the reader was plugged in"
    case .port(_, .notSerial): "give the port of the reader, such as /dev/ttyACM0"
    case .readerUnfit(_, _, let remedy): remedy
    case .flipperFile: "libre flipper list shows the files that it has; close its apps if one of them has the file open"
    case .readerFailed: "check the address, unplug the reader and plug it in; libre doctor checks the set-up"
    case .noTag: "hold the sensor flat on the reader and read again"
    case .otherTag: "remove other tags, and hold the sensor on the reader"
    case .otherCard: "remove other cards, and hold the sensor on the reader"
    case .tagSilent: "move it slightly on the reader, hold it still and read again"
    case .tagLost: "hold it still on the reader until the read is complete"
    case .tag: "read again; if it fails again, please report it with a --trace"
    case .malformedResponse:
      "hold the sensor still on the reader and read again; if it fails again, please report it with a --trace"
    case .cancelled: "read again"
    }
  }
}

extension Obstacle: RemediedError {
  package var exitStatus: Int32 { code == TransportError.accessDenied.code ? 77 : 69 }

  package var resolution: String {
    code == TransportError.readerLacks15693(name: "").code
      ? "\(Obstacle.alternatives); libre readers --supported lists all" : remedy ?? advice ?? ""
  }
}

extension Diagnosis {
  /// The exit status of the doctor: 0 if a sensor can be read as far as known.
  package var exitStatus: Int32 { error?.exitStatus ?? 0 }
}

extension ReaderSurvey {
  /// 0, or the exit status of the error that prevented any reader from being found.
  package var exitStatus: Int32 { readers.isEmpty ? ways.compactMap(\.error).first?.exitStatus ?? 0 : 0 }
}

extension BluetoothError: RemediedError {
  package var exitStatus: Int32 {
    switch self {
    case .accessDenied, .passkeyNeeded, .passkeyRefused, .passkeyNotConfirmed, .pairingRefused, .pairingForgotten: 77
    case .cancelled, .pairingCancelled: 130
    case .notInThisBuild, .libraryMissing, .noBus, .busLost, .noDaemon, .noAdapter, .adapterOff, .adapterBusy, .silent,
      .failed, .notFound, .outOfReach, .linkLost, .pairingTimedOut:
      69
    }
  }

  package var resolution: String {
    switch self {
    case .notInThisBuild: "build it with the trait Bluetooth, which is one of the defaults"
    case .libraryMissing: "sudo apt install libsystemd0"
    case .noBus: "sudo apt install dbus; in a container, share /run/dbus/system_bus_socket of the host"
    case .busLost: "run the command again; libre doctor shows what is missing"
    case .noDaemon: "sudo apt install bluez && sudo systemctl enable --now bluetooth"
    case .accessDenied:
      "run the command as a user of this machine itself; on some systems: sudo usermod -aG bluetooth \"$USER\", then log in again"
    case .noAdapter: "plug in an adapter with Bluetooth 4.0 or newer; libre doctor shows whether the kernel sees it"
    case .adapterOff(_, .hard): "turn Bluetooth on with that switch, or leave flight mode"
    case .adapterOff(_, .soft): "rfkill unblock bluetooth && bluetoothctl power on"
    case .adapterOff(_, nil): "bluetoothctl power on"
    case .adapterBusy: "close the Bluetooth settings and other programs that search or pair, and run the command again"
    case .silent: "sudo systemctl restart bluetooth, and run the command again"
    case .failed: "run the command again; if that does not help: sudo systemctl restart bluetooth"
    case .notFound:
      "switch the meter's Bluetooth on by a key or its menu, keep it within a few metres, and run the command again"
    case .outOfReach: "wake the meter with a key, keep it close, and close its app on nearby phones"
    case .linkLost: "keep the meter close and awake, and run the command again"
    case .pairingForgotten(let meter):
      "libre meter forget \(shellWord(meter, besides: ":")), remove this machine in the meter's menu, then libre meter pair \(shellWord(meter, besides: ":"))"
    case .passkeyNeeded(let meter):
      "libre meter pair \(shellWord(meter, besides: ":")) at a terminal, or with --passkey DIGITS from the meter's display or label"
    case .passkeyNotConfirmed(let meter):
      "libre meter pair \(shellWord(meter, besides: ":")) at a terminal shows six digits; answer y if the meter shows the same"
    case .passkeyRefused: "start pairing on the meter again and type the digits that it shows then"
    case .pairingCancelled(let meter): "libre meter pair \(shellWord(meter, besides: ":")) starts again"
    case .pairingRefused:
      "start pairing mode on the meter (libre meters --supported says how), and run the command again within half a minute"
    case .pairingTimedOut: "start pairing mode on the meter again, and have the digits ready within a minute"
    case .cancelled: "run the command again"
    }
  }
}

extension MeterError: RemediedError {
  package var exitStatus: Int32 {
    switch self {
    case .notPaired, .passkeyNeeded, .commandRefused(_, .notAllowed): 77
    case .recordsRefused, .commandRefused, .malformedAnswer, .tooManyPackets: 65
    case .notAMeter, .busy, .refused, .silent, .disconnected, .brokenOff: 69
    case .cancelled: 130
    }
  }

  package var resolution: String {
    switch self {
    case .notAMeter:
      "libre meters --supported lists the meters that can be read, libre meters --scan 30 those that are near"
    case .notPaired(let meter), .commandRefused(let meter, .notAllowed):
      "remove this computer from the meter's list of paired devices, then libre meter forget '\(meter)' and libre meter pair '\(meter)'"
    case .passkeyNeeded(let meter):
      "libre meter forget \(shellWord(meter, besides: ":")), then libre meter pair \(shellWord(meter, besides: ":")) at a terminal or with --passkey DIGITS"
    case .busy: "close the maker's app on the phone, switch the meter off and on, then read it again"
    case .refused(let meter, _, _):
      "switch the meter off and on and read it again; if it is refused again, libre meter forget '\(meter)' and libre meter pair '\(meter)'"
    case .recordsRefused:
      "update the meter's firmware with the maker's app; until then, import the app's export with libre import FILE"
    case .commandRefused:
      "this model may use another protocol; import the export of the maker's app with libre import FILE"
    case .silent(_, 0): "switch the meter off and on, keep it within two metres, then read it again"
    case .silent: "switch the meter off and on, then read it again; known records are not stored twice"
    case .disconnected(let meter, 0):
      "switch the meter on, keep it within two metres and read it again; if it ends the connection again, libre meter forget '\(meter)' and libre meter pair '\(meter)'"
    case .disconnected: "keep the meter within two metres and read it again; known records are not stored twice"
    case .brokenOff: "read it again without pressing a key or inserting a strip during the transfer"
    case .malformedAnswer: "read it again; if the error stays, report it with the output of libre meter read -v"
    case .tooManyPackets: "switch the meter off and on, then read it again; if the error stays, report it"
    case .cancelled: "read it again; known records are not stored twice"
    }
  }
}
