// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Says whether a sensor can be read on this machine, and if not, what to do about it.
public struct Doctor: Sendable {
  private let facts: SystemFacts
  private let pcsc: Result<[FoundReader], TransportError>
  private let readers: [ReaderAssessment]

  /// `pcsc` is what the backend for PC/SC answered when it was asked for its readers.
  public init(facts: SystemFacts, pcsc: Result<[FoundReader], TransportError>) {
    self.facts = facts
    self.pcsc = pcsc
    readers = ((try? pcsc.get()) ?? []).map(ReaderAssessment.init)
  }

  public var diagnosis: Diagnosis {
    let deciding = [serviceCheck] + driverChecks + readerChecks
    let checks = deciding + kernelChecks + serialChecks + [timeZoneCheck]
    let (outlook, summary) = outlook(deciding)
    let exitStatus: Int32 =
      switch (outlook, pcsc) {
      case (.ready, _), (.perhaps, _): 0
      case (.notReady, .failure(.accessDenied)): TransportError.accessDenied.exitStatus
      case (.notReady, _): TransportError.noReader.exitStatus
      }
    return Diagnosis(
      outlook: outlook, summary: summary, checks: checks, exitStatus: exitStatus, timeZone: facts.timeZone)
  }

  private func outlook(_ deciding: [Check]) -> (Diagnosis.Outlook, String) {
    let free = readers.filter { $0.reader.presence != .busy }
    if let reader = free.first(where: { $0.iso15693 == .yes }) {
      return (.ready, "Ready: run libre read and hold a sensor on the \(Self.title(of: reader))")
    }
    if let reader = free.first(where: { $0.iso15693 == .unknown }) {
      return (
        .perhaps, "Perhaps ready: whether the \(Self.title(of: reader)) reads sensors is not known; try libre read"
      )
    }
    let why = deciding.first { $0.verdict == .bad } ?? deciding.first { $0.verdict == .warning }
    return (.notReady, "Not ready: \(why?.what ?? "no reader reads sensors")")
  }

  // MARK: The service

  private var serviceCheck: Check {
    switch pcsc {
    case .success: return Check("pcscd", .good, "the PC/SC service runs, and you may use it")
    case .failure(.libraryMissing(let library)):
      return Check(
        "pcsc_library", .bad, "the PC/SC library \(library) is not installed",
        remedy: "sudo apt install libpcsclite1 pcscd")
    case .failure(.noDaemon) where !facts.hasDaemon:
      return Check("pcscd", .bad, "pcscd, the PC/SC service, is not installed", remedy: "sudo apt install pcscd")
    case .failure(.noDaemon):
      return Check(
        "pcscd", .bad, "pcscd, the PC/SC service, is installed but does not run",
        remedy: facts.usesSystemd ? "sudo systemctl enable --now pcscd.socket" : "sudo service pcscd start")
    case .failure(.accessDenied):
      return Check(
        "pcscd", .bad, "polkit does not let you use PC/SC",
        advice:
          "log in at the machine itself instead of by ssh, or run the line in libre's sources and log in again: it "
          + "lets the group plugdev use PC/SC from anywhere, and makes you a member",
        remedy: "sudo install -m 644 tools/packaging/polkit/60-libre.rules /etc/polkit-1/rules.d/ "
          + "&& sudo usermod -aG plugdev \"$USER\"")
    case .failure(let error):
      return Check("pcscd", .bad, error.message, advice: error.resolution)
    }
  }

  private var restart: String {
    facts.usesSystemd ? "sudo systemctl restart pcscd" : "sudo service pcscd restart"
  }

  // MARK: Drivers

  /// What is plugged in but not among the readers that PC/SC shows.
  private var driverChecks: [Check] {
    let shown = Set(readers.compactMap(\.kind))
    return facts.usbDevices.compactMap { device in
      if let kind = KnownReader.plugged(device.id) { return shown.contains(kind) ? nil : check(on: device, kind) }
      guard device.isCardReader, let listed = facts.driverIDs, !listed.contains(device.id) else { return nil }
      return Check(
        "driver", .warning,
        "no driver of PC/SC knows the card reader \(device.product ?? "without a name") (\(device.id))",
        advice: "a newer libccid, or its maker's driver, may")
    }
  }

  private func check(on device: USBDevice, _ kind: KnownReader) -> Check {
    let name = "the \(kind.title) (\(device.id))"
    switch kind.ability {
    case .cannot(let reason): return incapable(name, reason)
    case .reads, .perhaps: break
    }
    guard let listed = facts.driverIDs else {
      return Check(
        "driver", .bad, "\(name) is plugged in, but no driver is installed", remedy: "sudo apt install libccid")
    }
    guard listed.contains(device.id) else {
      return Check(
        "driver", .bad, "the driver is too old for \(name)",
        advice:
          "it needs \(kind.driver). A newer libccid is the clean way, and Debian 13 should have one. The line adds the "
          + "reader to the old one's list instead, which libccid's maintainer advises against. Neither was tried with the reader",
        remedy: DriverList.lineAdding(device.id, named: kind.title) + " && " + restart)
    }
    switch pcsc {
    case .failure: return Check("reader", .note, "\(name) is plugged in, and waits for PC/SC to work")
    case .success:
      return Check(
        "reader", .warning, "\(name) is plugged in and has a driver, but PC/SC does not show it",
        advice: "plug it in again, or restart the service", remedy: restart)
    }
  }

  // MARK: Readers

  private var readerChecks: [Check] {
    guard case .success = pcsc else { return [] }
    if readers.isEmpty, driverChecks.isEmpty {
      return [
        Check("reader", .bad, "no reader is plugged in", advice: Self.alternatives, remedy: "libre readers --supported")
      ]
    }
    return readers.map(check)
  }

  private func check(on judged: ReaderAssessment) -> Check {
    let name = judged.reader.name
    if judged.reader.presence == .busy, judged.iso15693 != .no {
      return Check(
        "reader", .warning, "another program is using \(name)", advice: "often it is gpg's scdaemon",
        remedy: "gpgconf --kill scdaemon")
    }
    switch judged.iso15693 {
    case .yes:
      let dialect = judged.dialects.first.map { ", most likely in the dialect \($0) (untested on hardware)" } ?? ""
      return Check("reader", .good, "\(name) reads sensors\(dialect)", advice: judged.kind?.note)
    case .no: return incapable(name, judged.reason ?? "")
    case .unknown:
      return Check(
        "reader", .warning, "\(name) may read sensors or not: \(judged.reason ?? "")",
        remedy: "libre read --reader \(Self.quoted(judged.reader.address.description))")
    }
  }

  /// Bad only where no other reader does better.
  private func incapable(_ name: String, _ reason: String) -> Check {
    let what = "\(name) cannot read sensors: \(reason)"
    if readers.contains(where: { $0.iso15693 != .no }) { return Check("reader", .note, what) }
    return Check("reader", .bad, what, advice: Self.alternatives, remedy: "libre readers --supported")
  }

  // MARK: What matters less

  private var kernelChecks: [Check] {
    facts.kernelModules.map { module in
      Check(
        "kernel_module", .note, "the kernel's \(module) takes PN53x and Sony readers for itself",
        advice: "they read no sensors anyway, and it disturbs no other reader", remedy: "sudo modprobe -r \(module)")
    }
  }

  private var serialChecks: [Check] {
    facts.serialPorts.map { port in
      port.isUsable
        ? Check(
          "serial_port", .note, "\(port.path) is yours to use, if a PN532Killer is behind it",
          remedy: "libre read --reader nfc:pn532_uart:\(port.path)")
        : Check(
          "serial_port", .note, "you may not open \(port.path), which matters only for a PN532Killer",
          advice: "log in again after the line", remedy: "sudo usermod -aG dialout \"$USER\"")
    }
  }

  private var timeZoneCheck: Check {
    let zone = facts.timeZone
    let name = zone.name ?? "UTC"
    guard zone.isKnown else {
      return Check(
        "time_zone", .warning, "the system has no time zone \(name), so that local times are those of UTC",
        advice: "check TZ and time_zone in the configuration", remedy: "sudo apt install tzdata")
    }
    let (winter, summer) = (Instant.offset(zone.winterOffset), Instant.offset(zone.summerOffset))
    return Check("time_zone", .good, "local time is that of \(name): \(winter) in January, \(summer) in May")
  }

  // MARK: Words

  private static func title(of judged: ReaderAssessment) -> String { judged.kind?.title ?? judged.reader.name }

  /// One word to a shell: a reader's name comes from the device.
  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }

  /// The first of the catalogue, whose order is that of handiness, that are not only remembered.
  private static let alternatives: String = {
    let readers = KnownReader.all.filter { reader in
      if case .reads = reader.ability { reader.confidence == .read } else { false }
    }
    return "readers that can: \(readers.prefix(3).map(\.title).joined(separator: ", "))"
  }()
}
