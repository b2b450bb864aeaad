// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import NFCTransport

struct DoctorTests {
  private static let samSlot = "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader SAM] 00 01"

  private func diagnosis(_ facts: SystemFacts, _ pcsc: Result<[FoundReader], TransportError>) -> Diagnosis {
    Doctor(facts: facts, pcsc: pcsc).diagnosis
  }

  private func check(_ name: String, in diagnosis: Diagnosis) throws -> Check {
    try #require(diagnosis.checks.first { $0.name == name }, "\(diagnosis.checks)")
  }

  @Test("a configuration that every user can write is a warning with the line that closes it")
  func exposedConfiguration() throws {
    var facts = ReaderMachine.facts()
    #expect(!diagnosis(facts, ReaderMachine.readers()).checks.contains { $0.name == "configuration" })
    facts.exposedConfiguration = "/home/ann's/config.toml"
    let check = try check("configuration", in: diagnosis(facts, ReaderMachine.readers()))
    #expect(check.verdict == .warning && check.what.contains("/home/ann's/config.toml"))
    #expect(check.remedy == #"chmod 600 '/home/ann'\''s/config.toml'"#)
  }

  /// A machine, and what the report says of it; `notice` is of the check with the name `check`.
  struct Situation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var facts = ReaderMachine.facts()
    var pcsc = ReaderMachine.readers()
    var outlook = Diagnosis.Outlook.notReady
    var error: TransportError? = .noReader
    /// The beginning.
    let summary: String
    var check = "reader"
    let verdict: Check.Verdict
    var remedy: String?
    /// Parts of what the check says, with its advice and its command.
    var parts: [String] = []
  }

  private static let busy = ReaderMachine.readers(ReaderMachine.acr1552, presence: .busy)
  private static let good = "readers that work: ACS ACR1552U, "

  static let situations = [
    Situation(
      testDescription: "pcscd is not installed", facts: SystemFacts(), pcsc: .failure(.noDaemon),
      summary: "Not ready: pcscd, the PC/SC service, is not installed", check: "pcscd", verdict: .bad,
      remedy: "sudo apt install pcscd"),
    Situation(
      testDescription: "library and service are missing: one command installs both", facts: SystemFacts(),
      pcsc: .failure(.libraryMissing("libpcsclite.so.1")), summary: "Not ready: ", check: "pcsc_library", verdict: .bad,
      remedy: "sudo apt install libpcsclite1 pcscd", parts: ["libpcsclite.so.1"]),
    Situation(
      testDescription: "polkit denies access", facts: ReaderMachine.facts(ReaderMachine.acr1552ID),
      pcsc: .failure(.accessDenied), error: .accessDenied,
      summary: "Not ready: polkit denies you access to PC/SC (org.debian.pcsc-lite.", check: "pcscd", verdict: .bad,
      parts: ["/etc/polkit-1/rules.d/"]),
    Situation(
      testDescription: "access is denied: the reader is named, so that the user knows that it is not the cause",
      facts: ReaderMachine.facts(ReaderMachine.acr1552ID), pcsc: .failure(.accessDenied), error: .accessDenied,
      summary: "Not ready: ", verdict: .note, parts: ["ACS ACR1552U (072f:2303)"]),
    Situation(
      testDescription: "any other PC/SC error is passed on",
      pcsc: .failure(.readerFailed(name: "X", reason: "0x80100001")),
      summary: "Not ready: ", check: "pcscd", verdict: .bad, parts: ["0x80100001"]),
    Situation(
      testDescription: "no reader is plugged in: readers to buy are listed",
      summary: "Not ready: no reader is plugged in",
      verdict: .bad, remedy: "libre readers --supported", parts: [good]),
    Situation(
      testDescription: "an unsuitable reader", facts: ReaderMachine.facts(ReaderMachine.acr122ID),
      pcsc: ReaderMachine.readers(ReaderMachine.acr122),
      summary: "Not ready: \(ReaderMachine.acr122) cannot read sensors: its PN532 chip does not support ISO 15693",
      verdict: .bad, remedy: "libre readers --supported", parts: [good]),
    Situation(
      testDescription: "an ACR1552U, with its expected dialect", facts: ReaderMachine.facts(ReaderMachine.acr1552ID),
      pcsc: ReaderMachine.readers(ReaderMachine.acr1552, samSlot), outlook: .ready, error: nil,
      summary: "Ready: run libre read and hold a sensor on the ACS ACR1552U", verdict: .good,
      parts: ["transparent-session", "untested on hardware"]),
    Situation(
      testDescription: "a USB reader with a driver that PC/SC does not list",
      facts: ReaderMachine.facts(ReaderMachine.acr1552ID),
      summary: "Not ready: the ACS ACR1552U (072f:2303) is plugged in", verdict: .warning,
      remedy: "sudo systemctl restart pcscd"),
    Situation(
      testDescription: "an unknown reader", pcsc: ReaderMachine.readers("Virtual PCD 00 00"), outlook: .perhaps,
      error: nil, summary: "Perhaps ready: ", verdict: .warning,
      remedy: "libre read --reader 'pcsc:Virtual PCD 00 00'"),
    Situation(
      testDescription: "an unknown reader with a tag of a sensor's kind",
      pcsc: ReaderMachine.readers("Virtual PCD 00 00", presence: .iso15693), outlook: .ready, error: nil,
      summary: "Ready: ", verdict: .good),
    Situation(
      testDescription: "another program uses the reader", facts: ReaderMachine.facts(ReaderMachine.acr1552ID),
      pcsc: busy, summary: "Not ready: another program is using \(ReaderMachine.acr1552)", verdict: .warning,
      remedy: "gpgconf --kill scdaemon"),
  ]

  @Test("the report names what keeps a machine from reading, and the command that helps", arguments: situations)
  func situation(given: Situation) throws {
    let diagnosis = diagnosis(given.facts, given.pcsc)
    #expect(diagnosis.outlook == given.outlook && diagnosis.error == given.error)
    #expect(diagnosis.summary.hasPrefix(given.summary), "\(diagnosis.summary)")
    let check = try check(given.check, in: diagnosis)
    #expect(check.verdict == given.verdict)
    if let remedy = given.remedy { #expect(check.remedy == remedy) }
    let text = [check.what, check.advice, check.remedy].compactMap(\.self).joined(separator: "\n")
    for part in given.parts { #expect(text.contains(part), "\(text)") }
  }

  @Test("a slot for a SAM, and an unsuitable reader next to a suitable one, are only notes")
  func notesBesideGood() {
    func verdicts(_ diagnosis: Diagnosis) -> [Check.Verdict] {
      #expect(diagnosis.outlook == .ready)
      return diagnosis.checks.filter { $0.name == "reader" }.map(\.verdict)
    }
    let (one, both) = (
      ReaderMachine.facts(ReaderMachine.acr1552ID),
      ReaderMachine.facts(ReaderMachine.acr1552ID, ReaderMachine.acr122ID)
    )
    #expect(verdicts(diagnosis(one, ReaderMachine.readers(ReaderMachine.acr1552, Self.samSlot))) == [.good, .note])
    #expect(
      verdicts(diagnosis(both, ReaderMachine.readers(ReaderMachine.acr122, ReaderMachine.acr1552))) == [.note, .good])
    // So is a Proxmark3 that cannot be used.
    let serial = serial(.failure(.readerSilent(name: "P")), pcsc: ReaderMachine.readers(ReaderMachine.acr1552))
    #expect(verdicts(serial) == [.good, .warning])
  }

  @Test("a reader missing from the driver's list is a bad driver and the summary, and not a reader")
  func oldDriver() throws {
    var facts = ReaderMachine.facts(ReaderMachine.acr1552ID)
    facts.driverIDs = [ReaderMachine.acr122ID]
    let diagnosis = diagnosis(facts, ReaderMachine.readers())
    let check = try check("driver", in: diagnosis)
    #expect(check.verdict == .bad && diagnosis.summary == "Not ready: \(check.what)")
    #expect(!diagnosis.checks.contains { $0.name == "reader" })
    let obstacle = try #require(Obstacle(behind: .noReader, on: facts))
    #expect(check.what == obstacle.message && check.remedy == obstacle.remedy)
    // A card reader that no driver knows is reported, and other devices are not.
    facts = ReaderMachine.facts(.init(vendor: 0x1234, product: 0x5678))
    #expect(try self.check("driver", in: self.diagnosis(facts, ReaderMachine.readers())).what.contains("1234:5678"))
    facts.usbDevices[0].isCardReader = false
    let other = self.diagnosis(facts, ReaderMachine.readers())
    #expect(!other.checks.contains { $0.name == "driver" })
    #expect(other.summary.hasPrefix("Not ready: no reader is plugged in"))
  }

  @Test("the name that a device reports never gets into a shell command")
  func hostileProduct() throws {
    var facts = ReaderMachine.facts(ReaderMachine.acr1552ID)
    facts.driverIDs = []
    facts.usbDevices[0].product = "'; reboot; '"
    #expect(diagnosis(facts, ReaderMachine.readers()).checks.allSatisfy { $0.remedy?.contains("reboot") != true })
    let name = "X'; reboot; '"
    #expect(
      try check("reader", in: diagnosis(ReaderMachine.facts(), ReaderMachine.readers(name))).remedy
        == #"libre read --reader 'pcsc:X'\''; reboot; '\'''"#)
  }

  private static let proxmark = FoundReader(
    address: .proxmark(port: "/dev/ttyACM0"), name: "Proxmark3 on /dev/ttyACM0", presence: .unknown)
  private static let answer = ReaderDescription(
    address: "proxmark:/dev/ttyACM0", name: "Proxmark3 v4.21611", dialect: "proxmark3")

  /// A machine with a Proxmark3 and without PC/SC.
  private func serial(
    _ answer: Result<ReaderDescription, TransportError>,
    pcsc: Result<[FoundReader], TransportError> = .failure(.noDaemon),
    isLeftAlone: Bool = true
  ) -> Diagnosis {
    var facts = SystemFacts()
    let usb = USBDevice(id: .init(vendor: 0x9AC4, product: 0x4B8F), product: "proxmark3", isCardReader: false)
    facts.usbDevices = [usb]
    facts.serialPorts = [SerialDevice(path: "/dev/ttyACM0", isUsable: true, usb: usb, isLeftAlone: isLeftAlone)]
    facts.hasModemManager = true
    return Doctor(facts: facts, pcsc: pcsc, asked: [AskedReader(reader: Self.proxmark, answer: answer)]).diagnosis
  }

  @Test("a Proxmark3 is enough to be ready; the missing PC/SC is then a note")
  func proxmark() throws {
    let diagnosis = serial(.success(Self.answer))
    #expect(diagnosis.outlook == .ready && diagnosis.error == nil)
    #expect(diagnosis.summary == "Ready: run libre read and hold a sensor on the Proxmark3 v4.21611")
    #expect(diagnosis.checks.allSatisfy { $0.verdict == .good || $0.verdict == .note })
    #expect(!diagnosis.checks.contains { $0.name == "serial_port" || $0.name == "driver" })
    #expect(try check("reader", in: diagnosis).what == "Proxmark3 v4.21611 at proxmark:/dev/ttyACM0 can read sensors")
    // ModemManager is named, with a rule that excludes the port, unless such a rule exists.
    #expect(!diagnosis.checks.contains { $0.name == "modem_manager" })
    let manager = try check("modem_manager", in: serial(.success(Self.answer), isLeftAlone: false))
    #expect(manager.verdict == .note && manager.remedy?.contains("/etc/udev/rules.d/") == true)
    #expect(manager.remedy?.contains(#"ATTRS{idVendor}=="9ac4", ATTRS{idProduct}=="4b8f""#) == true)
  }

  @Test(
    "if the only Proxmark3 cannot be used, the machine is not ready and the report has the solution",
    arguments: [
      (.readerUnfit(name: "P", reason: "too old", remedy: "flash it"), "flash it", nil),
      (
        .port(path: "/dev/ttyACM0", .denied(group: "dialout")), "log in again", "sudo usermod -aG dialout \"$USER\""
      ),
      (.port(path: "/dev/ttyACM0", .denied(group: nil)), "plug the reader in again", "ID_MM_PORT_IGNORE"),
      (.port(path: "/dev/ttyACM0", .busy), "ModemManager", "fuser -v /dev/ttyACM0"),
      (.readerSilent(name: "P"), nil, nil),
    ] as [(TransportError, String?, String?)])
  func brokenProxmark(error: TransportError, advice: String?, remedy: String?) throws {
    let diagnosis = serial(.failure(error))
    #expect(diagnosis.summary == "Not ready: \(error.message)")
    #expect(diagnosis.error == error)
    let check = try check("reader", in: diagnosis)
    #expect(check.verdict == .bad && check.error == (advice == nil ? error : nil))
    #expect(advice.map { check.advice?.contains($0) == true } ?? true)
    #expect(remedy.map { check.remedy?.contains($0) == true } ?? (check.remedy == nil))
  }

  private func phone(_ answer: Result<ReaderDescription, TransportError>) throws -> (summary: String, check: Check) {
    let found = FoundReader(address: .phone(port: nil), name: "Google Pixel 7a, by NFCGate", presence: .unknown)
    let diagnosis = Doctor(
      facts: SystemFacts(), pcsc: .failure(.noDaemon), asked: [AskedReader(reader: found, answer: answer)]
    ).diagnosis
    return (diagnosis.summary, try check("reader", in: diagnosis))
  }

  @Test("a phone that adb reaches is enough to be ready, and the report has what to do on it")
  func phone() throws {
    let description = ReaderDescription(address: "phone", name: "phone with NFCGate", dialect: "nfcgate")
    let (summary, check) = try phone(.success(description))
    #expect(summary == "Ready: run libre read --reader phone, which says what to do on the phone")
    #expect(check.verdict == .good && check.what.hasPrefix("adb reaches the Google Pixel 7a, by NFCGate"))
    let settings = "in NFCGate's settings: host 127.0.0.1, port 5566, session 1, TLS off"
    #expect(check.advice == "\(settings); then choose Relay, then Reader" && check.remedy == nil)
    // A phone without USB debugging is a note that says how to make it a reader.
    var facts = ReaderMachine.facts()
    facts.usbDevices = [USBDevice(id: .init(vendor: 0x18D1, product: 0x4EE1), product: "Pixel 7a", isCardReader: false)]
    facts.usbDevices[0].sharesFiles = true
    let note = try self.check("phone", in: diagnosis(facts, ReaderMachine.readers()))
    #expect(note.verdict == .note && note.what.hasPrefix("the Pixel 7a (18d1:4ee1) is plugged in without"))
    #expect(note.advice?.contains("switch on USB debugging") == true)
    facts.usbDevices[0].isDebuggedPhone = true
    #expect(diagnosis(facts, ReaderMachine.readers()).checks.allSatisfy { $0.name != "phone" })
    // If adb does not reach it, the report has the solution.
    for (reason, remedy, isCommand) in [
      ("adb is not installed", "sudo apt install adb", true), ("it asks", "unlock the phone and allow it", false),
    ] {
      let (summary, check) = try self.phone(.failure(.readerUnfit(name: "phone", reason: reason, remedy: remedy)))
      #expect(summary == "Not ready: the reader phone cannot be used: \(reason)" && check.verdict == .bad)
      #expect((isCommand ? check.remedy : check.advice) == remedy && (isCommand || check.remedy == nil))
    }
  }

  @Test("kernel modules and serial ports are notes and do not prevent ready")
  func notes() throws {
    var facts = ReaderMachine.facts(ReaderMachine.acr1552ID)
    facts.kernelModules = ["pn533_usb"]
    facts.serialPorts = [
      .init(path: "/dev/ttyACM0", isUsable: true), .init(path: "/dev/ttyUSB0", isUsable: false),
    ]
    let diagnosis = diagnosis(facts, ReaderMachine.readers(ReaderMachine.acr1552))
    #expect(diagnosis.outlook == .ready)
    #expect(try check("kernel_module", in: diagnosis).remedy == "sudo modprobe -r pn533_usb")
    let ports = diagnosis.checks.filter { $0.name == "serial_port" }
    #expect(
      ports.map(\.remedy) == [
        "libre read --reader nfc:pn532_uart:/dev/ttyACM0", "sudo usermod -aG dialout \"$USER\"",
      ])
    #expect(diagnosis.checks.filter { $0.verdict == .bad || $0.verdict == .warning } == [])
  }

  @Test("an unknown time zone is a warning, because libc silently uses UTC")
  func timeZone() throws {
    var facts = ReaderMachine.facts()
    facts.timeZone = .init(name: "Europe/Rome", isKnown: true, winterOffset: 3_600, summerOffset: 7_200)
    let good = try check("time_zone", in: diagnosis(facts, ReaderMachine.readers()))
    #expect(good.verdict == .good)
    #expect(good.what == "the local time zone is Europe/Rome: +01:00 in January, +02:00 in May")
    facts.timeZone = .init(name: "Europe/Rom", isKnown: false, winterOffset: 0, summerOffset: 0)
    #expect(try check("time_zone", in: diagnosis(facts, ReaderMachine.readers())).verdict == .warning)
  }

  @Test("a clock before this program existed is wrong, and one that no time service has set is a warning")
  func clock() throws {
    var facts = ReaderMachine.facts()
    #expect(!diagnosis(facts, ReaderMachine.readers()).checks.contains { $0.name == "clock" })
    facts.now = .firstVersion
    for (isSynchronised, verdict) in [(true, Check.Verdict.good), (false, .warning)] {
      facts.isClockSynchronised = isSynchronised
      #expect(try check("clock", in: diagnosis(facts, ReaderMachine.readers())).verdict == verdict)
    }
    facts.now = Instant.firstVersion.adding(minutes: -1)
    facts.isClockSynchronised = true
    let wrong = diagnosis(facts, ReaderMachine.readers(ReaderMachine.acr1552))
    #expect(try check("clock", in: wrong).verdict == .bad)
    // A sensor can be read all the same.
    #expect(wrong.error == nil)
  }
}
