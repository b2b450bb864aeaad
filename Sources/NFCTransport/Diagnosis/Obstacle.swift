// SPDX-License-Identifier: Apache-2.0

/// Keeps this machine from reading sensors. The doctor looks for all; a command that fails because of one says the
/// same.
package struct Obstacle: ExplainedError {
  package let code: String
  package let message: String
  /// Advice to read before running `remedy`; nil without any.
  package let advice: String?
  /// Removes it, or leads further.
  package let remedy: String?

  package var explanation: (code: String, message: String) { (code, message) }

  private init(_ code: String, _ message: String, advice: String? = nil, remedy: String?) {
    self.code = code
    self.message = message
    self.advice = advice
    self.remedy = remedy
  }
}

// MARK: - The service

extension Obstacle {
  /// The reason why PC/SC cannot be used; nil for an error with another cause.
  init?(_ error: TransportError, _ facts: SystemFacts) {
    switch error {
    case .libraryMissing(let library) where library.contains("pcsclite"):
      self.init(
        error.code, "the PC/SC library \(library) is not installed", remedy: "sudo apt install libpcsclite1 pcscd")
    case .noDaemon where !facts.hasDaemon:
      self.init(error.code, "pcscd, the PC/SC service, is not installed", remedy: "sudo apt install pcscd")
    case .noDaemon:
      self.init(
        error.code, "pcscd, the PC/SC service, is installed but not running",
        remedy: facts.usesSystemd ? "sudo systemctl enable --now pcscd.socket" : "sudo service pcscd start")
    case .serviceStuck: self.init(error.code, error.message, remedy: facts.restart)
    case .accessDenied: self = .denied(facts)
    default: return nil
    }
  }

  /// pcscd asks polkit, whose default is to allow only who is logged in at the machine itself (read: the policy of
  /// pcsc-lite). libre's rule allows the group plugdev as well.
  private static func denied(_ facts: SystemFacts) -> Obstacle {
    let join = "sudo usermod -aG plugdev \"$USER\""
    let remedy =
      facts.hasPolkitRule
      ? join : "sudo install -m 644 tools/packaging/polkit/60-libre.rules /etc/polkit-1/rules.d/ && \(join)"
    let advice =
      facts.hasPolkitRule
      ? "log in at the machine itself instead of by ssh, or run the line and log in again: libre's rule lets the "
        + "group plugdev use PC/SC from anywhere"
      : "log in at the machine itself instead of by ssh, or run the line in libre's source directory and log in again: it "
        + "lets the group plugdev use PC/SC from anywhere, and adds you to the group"
    let error = TransportError.accessDenied
    return Obstacle(
      error.code,
      "polkit denies you access to PC/SC (org.debian.pcsc-lite.access_pcsc), because you are not logged in at the machine "
        + "itself; libre's rule 60-libre.rules lets the group plugdev use it from anywhere, from its members' next login on",
      advice: advice, remedy: remedy)
  }
}

// MARK: - Drivers and readers

extension Obstacle {
  /// The reason why PC/SC does not list a known reader that is on the USB.
  init(_ kind: KnownReader, _ id: KnownReader.USBID, _ facts: SystemFacts) {
    let name = "the \(kind.title) (\(id))"
    if case .cannot(let reason) = kind.ability {
      self.init(name, cannotReadSensors: reason)
    } else if facts.driverIDs == nil {
      self.init(
        "no_driver", "\(name) is plugged in, but no driver is installed", remedy: "sudo apt install libccid")
    } else if facts.driverIDs?.contains(id) == false {
      self.init(
        "driver_too_old", "the driver is too old for \(name)",
        advice:
          "it needs \(kind.driver). A newer libccid is the best solution, and Debian 13 should have one. The line adds the "
          + "reader to the old driver's list instead, which libccid's maintainer advises against. Neither was tested with the reader",
        remedy: DriverList.lineAdding(id, named: kind.title) + " && " + facts.restart)
    } else {
      self.init(
        "reader_not_listed", "\(name) is plugged in and has a driver, but PC/SC does not list it",
        advice: "plug it in again, or restart the service", remedy: facts.restart)
    }
  }

  /// A card reader that no driver lists and libre does not know.
  init?(unknown device: USBDevice, _ facts: SystemFacts) {
    guard device.isCardReader, KnownReader.plugged(device.id) == nil, facts.driverIDs?.contains(device.id) == false
    else { return nil }
    self.init(
      "no_driver", "no PC/SC driver supports the card reader \(device.product ?? "without a name") (\(device.id))",
      advice: "a newer libccid, or the manufacturer's driver, may support it", remedy: nil)
  }

  /// A reader that cannot carry ISO 15693, whatever the set-up.
  init(_ name: String, cannotReadSensors reason: String) {
    let error = TransportError.readerLacks15693(name: name)
    self.init(
      error.code, "\(name) cannot read sensors: \(reason)", advice: Self.alternatives,
      remedy: "libre readers --supported")
  }

  /// The first catalogue entries, which is sorted by convenience, without the merely remembered ones.
  package static let alternatives: String = {
    let readers = KnownReader.all.filter { $0.iso15693 == .yes && $0.proof != .remembered }
    return "readers that work: \(readers.prefix(4).map(\.title).joined(separator: ", "))"
  }()

  /// The obstacle behind a failure; nil if the failure itself says all.
  package init?(behind error: TransportError, on facts: @autoclosure () -> SystemFacts) {
    switch error {
    case .readerLacks15693(let name):
      guard case .cannot(let reason) = KnownReader.named(name)?.ability else { return nil }
      self.init(name, cannotReadSensors: reason)
    case .noReader:
      let facts = facts()
      let plugged = facts.usbDevices.compactMap { device in
        KnownReader.plugged(device.id).map { (kind: $0, id: device.id) }
      }.filter { $0.kind.scheme == "pcsc" }
      // One that needs only a driver before one that can never do it.
      let mendable = plugged.first { $0.kind.iso15693 != .no }
      if let device = mendable ?? plugged.first {
        self.init(device.kind, device.id, facts)
      } else {
        guard let unknown = facts.usbDevices.lazy.compactMap({ Obstacle(unknown: $0, facts) }).first else { return nil }
        self = unknown
      }
    case .noDaemon, .serviceStuck, .accessDenied, .libraryMissing: self.init(error, facts())
    default: return nil
    }
  }
}

extension SystemFacts {
  /// The command line that restarts the PC/SC service.
  var restart: String { usesSystemd ? "sudo systemctl restart pcscd" : "sudo service pcscd restart" }
}
