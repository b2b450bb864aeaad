// SPDX-License-Identifier: Apache-2.0
import LibreKit
import NFCTransport
import SampleSync
import TestSupport
import Testing

@testable import CommandSupport
@testable import LibreDocuments

@Suite("The texts of setup") struct SetupTextTests {
  private let text = SetupText(style: Style(isColored: false))

  @Test("show the diagnosis with the line that fixes each problem, every type of sink, and next steps that work here")
  func reader() {
    let broken = Doctor(facts: SystemFacts(), pcsc: .failure(.noDaemon)).diagnosis
    let shown = text.reader(broken)
    #expect(shown.contains(broken.summary) && shown.contains("libre doctor"))
    for check in broken.checks {
      let isShown = check.verdict == .bad || check.verdict == .warning
      #expect(shown.contains(check.what + "\n") == isShown, "\(check.what)")
      if isShown, let remedy = check.remedy { #expect(shown.contains("Run: \(remedy)\n")) }
    }
    let good = Doctor(facts: ReaderMachine.facts(), pcsc: ReaderMachine.readers(ReaderMachine.acr1552)).diagnosis
    #expect(good.outlook == .ready && text.reader(good) == "Reader\n  \(good.summary)\n\n")
    for type in SinkType.all { #expect(text.sinkTypes().contains(type.summary), "\(type.name)") }
    #expect(text.next(good, hasSinks: false).contains("hold a sensor on the reader"))
    #expect(text.next(broken, hasSinks: false).contains("--reader sim:active"))
    #expect(
      text.next(good, hasSinks: true).contains("libre sync") && !text.next(good, hasSinks: false).contains("libre sync")
    )
  }
}
