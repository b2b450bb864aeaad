// SPDX-License-Identifier: Apache-2.0
import CGMModel

/// Reports whether this machine can read sensors, and how to fix it if not.
public struct Doctor: Sendable {
  private let facts: SystemFacts
  private let pcsc: Result<[FoundReader], TransportError>
  private let readers: [ReaderAssessment]

  /// Creates a doctor. `pcsc`: answer of the PC/SC backend to the request for its readers.
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
        .perhaps, "Perhaps ready: it is not known whether the \(Self.title(of: reader)) reads sensors; try libre read"
      )
    }
    let why = deciding.first { $0.verdict == .bad } ?? deciding.first { $0.verdict == .warning }
    return (.notReady, "Not ready: \(why?.what ?? "no reader can read sensors")")
  }

  // MARK: The service

  private var serviceCheck: Check {
    switch pcsc {
    case .success: return Check("pcscd", .good, "the PC/SC service is running and accessible")
    case .failure(.libraryMissing(let library)):
      return Check(
        "pcsc_library", .bad, "the PC/SC library \(library) is not installed",
        remedy: "sudo apt install libpcsclite1 pcscd")
    case .failure(.noDaemon) where !facts.hasDaemon:
      return Check("pcscd", .bad, "pcscd, the PC/SC service, is not installed", remedy: "sudo apt install pcscd")
    case .failure(.noDaemon):
      return Check(
        "pcscd", .bad, "pcscd, the PC/SC service, is installed but not running",
        remedy: facts.usesSystemd ? "sudo systemctl enable --now pcscd.socket" : "sudo service pcscd start")
    case .failure(.accessDenied):
      return Check(
        "pcscd", .bad, "polkit denies you access to PC/SC",
        advice:
          "log in at the machine itself instead of by ssh, or run the line in libre's source directory and log in again: it "
          + "lets the group plugdev use PC/SC from anywhere, and adds you to the group",
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

  /// Plugged-in devices that PC/SC does not list.
  private var driverChecks: [Check] {
    let shown = Set(readers.compactMap(\.kind))
    return facts.usbDevices.compactMap { device in
      if let kind = KnownReader.plugged(device.id) { return shown.contains(kind) ? nil : check(on: device, kind) }
      guard device.isCardReader, let listed = facts.driverIDs, !listed.contains(device.id) else { return nil }
      return Check(
        "driver", .warning,
        "no PC/SC driver supports the card reader \(device.product ?? "without a name") (\(device.id))",
        advice: "a newer libccid, or the manufacturer's driver, may support it")
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
          "it needs \(kind.driver). A newer libccid is the best solution, and Debian 13 should have one. The line adds the "
          + "reader to the old driver's list instead, which libccid's maintainer advises against. Neither was tested with the reader",
        remedy: DriverList.lineAdding(device.id, named: kind.title) + " && " + restart)
    }
    switch pcsc {
    case .failure: return Check("reader", .note, "\(name) is plugged in, but PC/SC does not work yet")
    case .success:
      return Check(
        "reader", .warning, "\(name) is plugged in and has a driver, but PC/SC does not list it",
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
        "reader", .warning, "it is not known whether \(name) reads sensors: \(judged.reason ?? "")",
        remedy: "libre read --reader \(Self.quoted(judged.reader.address.description))")
    }
  }

  /// Reports a reader that cannot read sensors: bad only if no other reader does better.
  private func incapable(_ name: String, _ reason: String) -> Check {
    let what = "\(name) cannot read sensors: \(reason)"
    if readers.contains(where: { $0.iso15693 != .no }) { return Check("reader", .note, what) }
    return Check("reader", .bad, what, advice: Self.alternatives, remedy: "libre readers --supported")
  }

  // MARK: What matters less

  private var kernelChecks: [Check] {
    facts.kernelModules.map { module in
      Check(
        "kernel_module", .note, "the kernel module \(module) claims PN53x and Sony readers",
        advice: "those readers cannot read sensors anyway, and other readers are not affected",
        remedy: "sudo modprobe -r \(module)")
    }
  }

  private var serialChecks: [Check] {
    facts.serialPorts.map { port in
      port.isUsable
        ? Check(
          "serial_port", .note, "\(port.path) is accessible, in case a PN532Killer is connected to it",
          remedy: "libre read --reader nfc:pn532_uart:\(port.path)")
        : Check(
          "serial_port", .note, "access to \(port.path) is denied, which matters only for a PN532Killer",
          advice: "log in again after running the line", remedy: "sudo usermod -aG dialout \"$USER\"")
    }
  }

  private var timeZoneCheck: Check {
    let zone = facts.timeZone
    let name = zone.name ?? "UTC"
    guard zone.isKnown else {
      return Check(
        "time_zone", .warning, "the system does not know the time zone \(name), so local times are in UTC",
        advice: "check TZ and time_zone in the configuration", remedy: "sudo apt install tzdata")
    }
    let (winter, summer) = (Instant.offset(zone.winterOffset), Instant.offset(zone.summerOffset))
    return Check("time_zone", .good, "the local time zone is \(name): \(winter) in January, \(summer) in May")
  }

  // MARK: Words

  private static func title(of judged: ReaderAssessment) -> String { judged.kind?.title ?? judged.reader.name }

  /// Quotes a text as one shell word: a reader's name comes from the device.
  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }

  /// The first catalogue entries, which is sorted by convenience, without the merely remembered ones.
  private static let alternatives: String = {
    let readers = KnownReader.all.filter { reader in
      if case .reads = reader.ability { reader.confidence == .read } else { false }
    }
    return "readers that work:  \(readers.prefix(3).map(\.title).joined(separator: ", "))"
  }()
}
