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

  @Test("without pcscd, the report says how to install it")
  func noDaemon() throws {
    let diagnosis = diagnosis(SystemFacts(), .failure(.noDaemon))
    #expect(diagnosis.outlook == .notReady)
    #expect(diagnosis.error == .noReader)
    #expect(diagnosis.summary == "Not ready: pcscd, the PC/SC service, is not installed")
    let check = try check("pcscd", in: diagnosis)
    #expect(check.verdict == .bad)
    #expect(check.remedy == "sudo apt install pcscd")
  }

  @Test("with pcscd and no reader, the report lists readers to buy")
  func noReader() throws {
    let diagnosis = diagnosis(ReaderMachine.facts(), ReaderMachine.readers())
    #expect(diagnosis.outlook == .notReady)
    #expect(diagnosis.error == .noReader)
    #expect(diagnosis.summary == "Not ready: no reader is plugged in")
    #expect(try check("reader", in: diagnosis).advice?.hasPrefix("readers that work: ACS ACR1552U, ") == true)
    #expect(try check("pcscd", in: diagnosis).verdict == .good)
    #expect(try check("reader", in: diagnosis).remedy == "libre readers --supported")
  }

  @Test("an ACR122U is named, with the reason why it is unsuitable and with suitable readers")
  func incapableReader() throws {
    let diagnosis = diagnosis(ReaderMachine.facts(ReaderMachine.acr122ID), ReaderMachine.readers(ReaderMachine.acr122))
    #expect(diagnosis.outlook == .notReady)
    #expect(diagnosis.error == .noReader)
    #expect(
      diagnosis.summary
        == "Not ready: \(ReaderMachine.acr122) cannot read sensors: its PN532 chip does not support ISO 15693")
    #expect(try check("reader", in: diagnosis).advice?.hasPrefix("readers that work: ACS ACR1552U, ") == true)
    #expect(diagnosis.checks.filter { $0.name == "reader" }.map(\.verdict) == [.bad])
  }

  @Test("an ACR1552U is ready, and its expected dialect is named")
  func goodReader() throws {
    let diagnosis = diagnosis(
      ReaderMachine.facts(ReaderMachine.acr1552ID), ReaderMachine.readers(ReaderMachine.acr1552, Self.samSlot))
    #expect(diagnosis.outlook == .ready)
    #expect(diagnosis.error == nil)
    #expect(diagnosis.summary == "Ready: run libre read and hold a sensor on the ACS ACR1552U")
    let checks = diagnosis.checks.filter { $0.name == "reader" }
    #expect(checks.map(\.verdict) == [.good, .note])
    #expect(checks[0].what.contains("transparent-session"))
    #expect(checks[0].what.contains("untested on hardware"))
    #expect(checks[1].what.contains("slot is for a SAM"))
  }

  @Test("a missing library and the service are installed with one command")
  func missingLibrary() throws {
    let check = try check("pcsc_library", in: diagnosis(SystemFacts(), .failure(.libraryMissing("libpcsclite.so.1"))))
    #expect(check.remedy == "sudo apt install libpcsclite1 pcscd")
    #expect(check.what.contains("libpcsclite.so.1"))
  }

  @Test("access denied is fixed by a polkit rule, and the status is that of permissions")
  func accessDenied() throws {
    let diagnosis = diagnosis(ReaderMachine.facts(ReaderMachine.acr1552ID), .failure(.accessDenied))
    #expect(diagnosis.error == .accessDenied)
    #expect(diagnosis.summary.hasPrefix("Not ready: polkit denies you access to PC/SC (org.debian.pcsc-lite."))
    #expect(try check("pcscd", in: diagnosis).remedy?.contains("/etc/polkit-1/rules.d/") == true)
    // The reader is still named, so that the user knows that it is not the cause.
    #expect(try check("reader", in: diagnosis).verdict == .note)
    #expect(try check("reader", in: diagnosis).what.contains("ACS ACR1552U (072f:2303)"))
  }

  @Test("any other PC/SC error is passed on with its own message")
  func otherErrors() throws {
    let check = try check(
      "pcscd", in: diagnosis(ReaderMachine.facts(), .failure(.readerFailed(name: "X", reason: "0x80100001"))))
    #expect(check.verdict == .bad)
    #expect(check.what.contains("0x80100001"))
  }

  @Test("a reader missing from the driver's list is a bad driver and the summary, and not a reader")
  func oldDriver() throws {
    var facts = ReaderMachine.facts(ReaderMachine.acr1552ID)
    facts.driverIDs = [ReaderMachine.acr122ID]
    let diagnosis = diagnosis(facts, ReaderMachine.readers())
    let check = try check("driver", in: diagnosis)
    #expect(check.verdict == .bad)
    #expect(diagnosis.summary == "Not ready: \(check.what)")
    #expect(!diagnosis.checks.contains { $0.name == "reader" })
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

  @Test("a USB reader with a driver that PC/SC does not list needs a restart of pcscd")
  func hiddenReader() throws {
    let diagnosis = diagnosis(ReaderMachine.facts(ReaderMachine.acr1552ID), ReaderMachine.readers())
    #expect(diagnosis.error == .noReader)
    #expect(diagnosis.summary.hasPrefix("Not ready: the ACS ACR1552U (072f:2303) is plugged in"))
    #expect(try check("reader", in: diagnosis).remedy == "sudo systemctl restart pcscd")
  }

  @Test("a card reader without a driver is reported, other devices are not")
  func unlistedCardReader() throws {
    var facts = ReaderMachine.facts(.init(vendor: 0x1234, product: 0x5678))
    #expect(try check("driver", in: diagnosis(facts, ReaderMachine.readers())).what.contains("1234:5678"))
    facts.usbDevices[0].isCardReader = false
    let diagnosis = diagnosis(facts, ReaderMachine.readers())
    #expect(!diagnosis.checks.contains { $0.name == "driver" })
    #expect(diagnosis.summary.hasPrefix("Not ready: no reader is plugged in"))
  }

  @Test("an unsuitable reader next to a suitable one is only a note")
  func incapableBesideGood() {
    let diagnosis = diagnosis(
      ReaderMachine.facts(ReaderMachine.acr1552ID, ReaderMachine.acr122ID),
      ReaderMachine.readers(ReaderMachine.acr122, ReaderMachine.acr1552))
    #expect(diagnosis.outlook == .ready)
    #expect(diagnosis.checks.filter { $0.name == "reader" }.map(\.verdict) == [.note, .good])
  }

  @Test("an unknown reader may be ready, and becomes ready with a tag of a sensor's kind")
  func unknownReader() throws {
    let unknown = diagnosis(ReaderMachine.facts(), ReaderMachine.readers("Virtual PCD 00 00"))
    #expect(unknown.outlook == .perhaps)
    #expect(unknown.error == nil)
    #expect(unknown.summary.hasPrefix("Perhaps ready: "))
    #expect(try check("reader", in: unknown).remedy == "libre read --reader 'pcsc:Virtual PCD 00 00'")
    let seen = diagnosis(ReaderMachine.facts(), ReaderMachine.readers("Virtual PCD 00 00", presence: .iso15693))
    #expect(seen.outlook == .ready)
    #expect(try check("reader", in: seen).verdict == .good)
  }

  @Test("a busy reader is reported with the command that frees it")
  func busyReader() throws {
    let diagnosis = diagnosis(
      ReaderMachine.facts(ReaderMachine.acr1552ID), ReaderMachine.readers(ReaderMachine.acr1552, presence: .busy))
    #expect(diagnosis.summary == "Not ready: another program is using \(ReaderMachine.acr1552)")
    #expect(diagnosis.error == .noReader)
    let check = try check("reader", in: diagnosis)
    #expect(check.verdict == .warning)
    #expect(check.remedy == "gpgconf --kill scdaemon")
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

  @Test("an unusable Proxmark3 is a warning next to a suitable reader")
  func brokenBeside() throws {
    let diagnosis = serial(.failure(.readerSilent(name: "P")), pcsc: ReaderMachine.readers(ReaderMachine.acr1552))
    #expect(diagnosis.outlook == .ready)
    #expect(diagnosis.checks.filter { $0.name == "reader" }.map(\.verdict) == [.good, .warning])
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
  }

  @Test(
    "if adb does not reach the phone, the report has the solution",
    arguments: [
      ("adb is not installed", "sudo apt install adb", true), ("it asks", "unlock the phone and allow it", false),
    ])
  func unreachedPhone(reason: String, remedy: String, isCommand: Bool) throws {
    let (summary, check) = try phone(.failure(.readerUnfit(name: "phone", reason: reason, remedy: remedy)))
    #expect(summary == "Not ready: the reader phone cannot be used: \(reason)" && check.verdict == .bad)
    #expect((isCommand ? check.remedy : check.advice) == remedy && (isCommand || check.remedy == nil))
  }

  @Test("a phone without USB debugging is a note that says how to make it a reader")
  func phoneWithoutDebugging() throws {
    var facts = ReaderMachine.facts()
    var phone = USBDevice(id: .init(vendor: 0x18D1, product: 0x4EE1), product: "Pixel 7a", isCardReader: false)
    phone.sharesFiles = true
    facts.usbDevices = [phone]
    let check = try check("phone", in: diagnosis(facts, ReaderMachine.readers()))
    #expect(check.verdict == .note && check.what.hasPrefix("the Pixel 7a (18d1:4ee1) is plugged in without"))
    #expect(check.advice?.contains("switch on USB debugging") == true)
    facts.usbDevices[0].isDebuggedPhone = true
    #expect(diagnosis(facts, ReaderMachine.readers()).checks.allSatisfy { $0.name != "phone" })
  }

  @Test("ModemManager is named, with a rule that excludes the port, unless such a rule exists")
  func modemManager() throws {
    #expect(serial(.success(Self.answer)).checks.allSatisfy { $0.name != "modem_manager" })
    let check = try check("modem_manager", in: serial(.success(Self.answer), isLeftAlone: false))
    #expect(check.verdict == .note)
    #expect(check.remedy?.contains(#"ATTRS{idVendor}=="9ac4", ATTRS{idProduct}=="4b8f""#) == true)
    #expect(check.remedy?.contains("/etc/udev/rules.d/") == true)
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
