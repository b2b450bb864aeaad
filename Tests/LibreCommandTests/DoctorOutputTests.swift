// SPDX-License-Identifier: Apache-2.0
import LibreDocuments
import Meters
import TestSupport
import Testing
import TextFormats

@testable import CommandSupport
@testable import NFCTransport

struct DoctorOutputTests {
  private func diagnosis(_ facts: SystemFacts, _ pcsc: Result<[FoundReader], TransportError>) -> Diagnosis {
    Doctor(facts: facts, pcsc: pcsc).diagnosis
  }

  /// Diagnoses of many machines.
  private var all: [Diagnosis] {
    var facts = ReaderMachine.facts(ReaderMachine.acr1552ID, ReaderMachine.acr122ID)
    facts.driverIDs = []
    facts.kernelModules = ["pn533_usb", "port100"]
    facts.serialPorts = [.init(path: "/dev/ttyACM0", isUsable: false)]
    let errors: [TransportError] = [
      .noDaemon, .libraryMissing("libpcsclite.so.1"), .accessDenied, .notInThisBuild(scheme: "pcsc"),
    ]
    let answers =
      errors.map { .failure($0) } + [
        ReaderMachine.readers(), ReaderMachine.readers(ReaderMachine.acr1552, ReaderMachine.acr122, "Virtual PCD"),
      ]
    return [SystemFacts(), ReaderMachine.facts(), facts].flatMap { facts in answers.map { diagnosis(facts, $0) } }
  }

  @Test("the text begins with the result, and contains each line that fixes something")
  func text() {
    for diagnosis in all {
      let lines = DoctorText.text(diagnosis, style: Style(isColored: false)).split(separator: "\n")
      #expect(lines.first.map(String.init) == diagnosis.summary)
      let checks = diagnosis.checks
      let advised = checks.filter { $0.advice != nil || $0.error != nil }.count
      #expect(lines.count == 1 + checks.count + advised + checks.compactMap(\.remedy).count)
      for remedy in diagnosis.checks.compactMap(\.remedy) { #expect(lines.contains { $0.hasSuffix("Run: \(remedy)") }) }
    }
  }

  @Test("what Bluetooth lacks is a note with its fix, because sensors do not need it")
  func bluetooth() async {
    let report = await BluetoothReport.take(environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
    let text = DoctorText.text(report, style: Style(isColored: false))
    #expect(text.hasPrefix("Bluetooth, only for meters"))
    for finding in report.findings where !finding.isGood {
      #expect(text.contains("note     \(finding.name.replacing("_", with: " "))"))
      #expect((finding.remedy ?? finding.error?.resolution).map { text.contains("Try: \($0)") } ?? true)
    }
    #expect(report.obstacle != nil)
  }

  @Test("a name with control characters cannot command the terminal")
  func controlCharacters() {
    let diagnosis = diagnosis(ReaderMachine.facts(), ReaderMachine.readers("Evil\u{1B}[2J\u{9B}Reader\n"))
    let text = DoctorText.text(diagnosis, style: Style(isColored: false))
    #expect(text.contains("Evil?[2J?Reader?"))
    #expect(!text.contains("\u{1B}"))
    #expect(!text.contains("\u{9B}"))
  }
}
