// SPDX-License-Identifier: Apache-2.0

/// Reports whether this machine can read sensors, and how to fix it if not.
package struct Doctor: Sendable {
  private let facts: SystemFacts
  private let pcsc: Result<[FoundReader], TransportError>
  private let readers: [ReaderAssessment]
  private let asked: [AskedReader]

  /// `pcsc`: the PC/SC backend's answer to the request for its readers.
  package init(facts: SystemFacts, pcsc: Result<[FoundReader], TransportError>, asked: [AskedReader] = []) {
    self.facts = facts
    self.pcsc = pcsc
    self.asked = asked
    readers = ((try? pcsc.get()) ?? []).map(ReaderAssessment.init)
  }

  package var diagnosis: Diagnosis {
    let deciding = [serviceCheck] + driverChecks + readerChecks + askedChecks
    let checks =
      deciding + phoneChecks + modemManagerChecks + kernelChecks + serialChecks
      + [configurationCheck, timeZoneCheck, clockCheck].compactMap(\.self)
    let (outlook, summary) = outlook(deciding)
    let error: TransportError? =
      switch (outlook, pcsc) {
      case (.ready, _), (.perhaps, _): nil
      case (.notReady, .failure(.accessDenied)) where needsPCSC: .accessDenied
      case (.notReady, _): asked.compactMap(\.error).first ?? .noReader
      }
    return Diagnosis(outlook: outlook, summary: summary, checks: checks, error: error, timeZone: facts.timeZone)
  }

  private func outlook(_ deciding: [Check]) -> (Diagnosis.Outlook, String) {
    let free = readers.filter { $0.reader.presence != .busy }
    if let reader = free.first(where: { $0.iso15693 == .yes }) {
      return (.ready, "Ready: run libre read and hold a sensor on the \(Self.title(of: reader))")
    }
    if let usable = asked.first(where: \.isUsable), case .success(let reader) = usable.answer {
      return (
        .ready,
        usable.isPhone
          ? "Ready: run libre read --reader phone, which says what to do on the phone"
          : "Ready: run libre read and hold a sensor on the \(reader.name)"
      )
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

  /// False if all readers that are plugged in are on serial ports.
  private var needsPCSC: Bool { asked.isEmpty || !readers.isEmpty || !driverChecks.isEmpty }

  private var serviceCheck: Check {
    if !needsPCSC, case .failure(let error) = pcsc {
      return Check("pcscd", .note, "\(error.message), which the reader that is plugged in does not need")
    }
    switch pcsc {
    case .success: return Check("pcscd", .good, "the PC/SC service is running and accessible")
    case .failure(let error):
      guard let obstacle = Obstacle(error, facts) else {
        return Check("pcscd", .bad, error.message, error: error)
      }
      if case .libraryMissing = error { return Check("pcsc_library", .bad, obstacle) }
      return Check("pcscd", .bad, obstacle)
    }
  }

  // MARK: Drivers

  /// Plugged-in devices that PC/SC does not list.
  private var driverChecks: [Check] {
    let shown = Set(readers.compactMap(\.kind))
    return facts.usbDevices.compactMap { device in
      let kind = KnownReader.plugged(device.id)
      if let kind, kind.scheme != "pcsc" { return nil }
      if let kind { return shown.contains(kind) ? nil : check(on: device, kind) }
      return Obstacle(unknown: device, facts).map { Check("driver", .warning, $0) }
    }
  }

  private func check(on device: USBDevice, _ kind: KnownReader) -> Check {
    let obstacle = Obstacle(kind, device.id, facts)
    switch (kind.ability, facts.driverIDs?.contains(device.id), pcsc) {
    case (.cannot, _, _): return incapable(obstacle)
    case (_, true?, .failure):
      return Check("reader", .note, "the \(kind.title) (\(device.id)) is plugged in, but PC/SC does not work yet")
    case (_, true?, .success): return Check("reader", .warning, obstacle)
    case (_, _, _): return Check("driver", .bad, obstacle)
    }
  }

  // MARK: Readers

  private var readerChecks: [Check] {
    guard case .success = pcsc else { return [] }
    if readers.isEmpty, driverChecks.isEmpty, asked.isEmpty {
      return [
        Check(
          "reader", .bad, "no reader is plugged in", advice: Obstacle.alternatives,
          remedy: "libre readers --supported")
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
    case .no: return incapable(Obstacle(name, cannotReadSensors: judged.reason ?? ""))
    case .unknown:
      return Check(
        "reader", .warning, "it is not known whether \(name) reads sensors: \(judged.reason ?? "")",
        remedy: "libre read --reader \(Self.quoted(judged.reader.address.description))")
    }
  }

  /// Reports a reader that cannot read sensors: bad only if no other reader does better.
  private func incapable(_ obstacle: Obstacle) -> Check {
    let hasBetter = readers.contains { $0.iso15693 != .no } || asked.contains(where: \.isUsable)
    return hasBetter ? Check("reader", .note, obstacle.message) : Check("reader", .bad, obstacle)
  }

  // MARK: Readers on serial ports

  private var askedChecks: [Check] {
    let others = asked.contains(where: \.isUsable) || readers.contains { $0.iso15693 == .yes }
    return asked.map { asked in
      let kind = KnownReader.named(asked.reader.name)
      switch asked.answer {
      case .success where asked.isPhone:
        return Check(
          "reader", .good, "adb reaches the \(asked.reader.name); whether the app is ready shows when a sensor is read",
          advice: "\(PhoneBackend.settings(port: "\(PhoneBackend.usualPort)")); then \(PhoneBackend.role)")
      case .success(let description):
        return Check(
          "reader", .good, "\(description.name) at \(description.address) can read sensors", advice: kind?.note)
      case .failure(let error):
        let help = help(for: error)
        return Check(
          "reader", others ? .warning : .bad, error.message, advice: help?.advice, remedy: help?.remedy,
          error: help == nil ? error : nil)
      }
    }
  }

  /// Returns advice for this machine; nil if the error itself needs no other.
  private func help(for error: TransportError) -> (advice: String, remedy: String?)? {
    switch error {
    case .port(_, .denied(let group?)): ("log in again after the line", "sudo usermod -aG \(group) \"$USER\"")
    case .port(let path, .denied(nil)):
      ("plug the reader in again after the line", facts.serialPorts.first { $0.path == path }.flatMap(rule))
    case .port(let path, .busy):
      (
        facts.hasModemManager
          ? "ModemManager may have it for 20 seconds after it was plugged in; the line names the program"
          : "the line names the program", "fuser -v \(path)"
      )
    case .readerUnfit(_, _, let remedy) where remedy.wholeMatch(of: /sudo apt install \S+/) != nil:
      ("then run libre doctor again", remedy)
    case .readerUnfit(_, _, let remedy): (remedy, nil)
    default: nil
    }
  }

  /// ModemManager writes to every new port, and what it writes disturbs the first question to a reader.
  private var modemManagerChecks: [Check] {
    guard facts.hasModemManager else { return [] }
    return facts.serialPorts.compactMap { port in
      guard !port.isLeftAlone, let rule = rule(for: port),
        asked.contains(where: { $0.reader.address.description.hasSuffix(":\(port.path)") })
      else { return nil }
      return Check(
        "modem_manager", .note, "ModemManager uses \(port.path) for up to 20 seconds after the reader was plugged in",
        advice:
          "the line keeps it away, and lets whoever is logged in use the reader; plug the reader in again after it",
        remedy: rule)
    }
  }

  /// The shell's line that installs a rule of udev for this device; nil where the kernel does not say which it is.
  private func rule(for port: SerialDevice) -> String? {
    port.usb.map { usb in
      let (vendor, product) = (HexText.string(of: usb.id.vendor), HexText.string(of: usb.id.product))
      let match =
        "SUBSYSTEM==\"tty\", ATTRS{idVendor}==\"\(vendor.lowercased())\", "
        + "ATTRS{idProduct}==\"\(product.lowercased())\""
      return "echo '\(match), TAG+=\"uaccess\", ENV{ID_MM_PORT_IGNORE}=\"1\"' "
        + "| sudo tee /etc/udev/rules.d/60-libre-reader.rules && sudo udevadm control --reload"
    }
  }

  // MARK: What matters less

  private var phoneChecks: [Check] {
    facts.usbDevices.filter { $0.sharesFiles && !$0.isDebuggedPhone }.map { device in
      Check(
        "phone", .note, "the \(device.product ?? "phone") (\(device.id)) is plugged in without USB debugging",
        advice:
          "an Android phone with NFC can read sensors: switch on USB debugging in its developer options, "
          + "then run libre doctor again")
    }
  }

  private var kernelChecks: [Check] {
    facts.kernelModules.map { module in
      Check(
        "kernel_module", .note, "the kernel module \(module) claims PN53x and Sony readers",
        advice: "those readers cannot read sensors anyway, and other readers are not affected",
        remedy: "sudo modprobe -r \(module)")
    }
  }

  private var serialChecks: [Check] {
    // A port whose reader was asked has its check already.
    let others = facts.serialPorts.filter { port in
      !asked.contains { $0.reader.address.description.hasSuffix(":\(port.path)") }
    }
    return others.map { port in
      port.isUsable
        ? Check(
          "serial_port", .note, "\(port.path) is accessible, in case a PN532Killer is connected to it",
          remedy: "libre read --reader nfc:pn532_uart:\(port.path)")
        : Check(
          "serial_port", .note, "access to \(port.path) is denied, which matters only for a PN532Killer",
          advice: "log in again after running the line", remedy: "sudo usermod -aG dialout \"$USER\"")
    }
  }

  private var configurationCheck: Check? {
    facts.exposedConfiguration.map { path in
      Check(
        "configuration", .warning, "every user of this machine can write \(path)",
        advice: "whoever writes it decides where your values go, and can have a command run as you",
        remedy: "chmod 600 \(Self.quoted(path))")
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

  /// The times of all values follow this clock.
  private var clockCheck: Check? {
    let remedy = "sudo timedatectl set-ntp true"
    if let now = facts.now, now < .firstVersion {
      return Check(
        "clock", .bad, "this computer's clock is wrong: it shows \(now.rfc3339), before this program was written",
        advice: "read a sensor after the clock is set", remedy: remedy)
    }
    return facts.isClockSynchronised.map { isSynchronised in
      isSynchronised
        ? Check("clock", .good, "a time service has set this computer's clock")
        : Check(
          "clock", .warning, "no time service has set this computer's clock yet, and the times of readings follow it",
          advice: "compare it with another clock", remedy: remedy)
    }
  }

  // MARK: Words

  private static func title(of judged: ReaderAssessment) -> String { judged.kind?.title ?? judged.reader.name }

  /// Quotes a text as one shell word: a reader's name comes from the device.
  private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }
}
