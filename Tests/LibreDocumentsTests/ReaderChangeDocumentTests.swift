// SPDX-License-Identifier: Apache-2.0
import CGMModel
import LibreDocuments
import NFCTransport
import TestSupport
import Testing
import TextFormats

@Suite("A change of the readers")
struct ReaderChangeDocumentTests {
  private let time = Instant(secondsSince1970: 1_764_000_000)

  private func change(_ kind: ReaderChange.Kind, name: String = ReaderMachine.acr1552) -> ReaderChange {
    ReaderChange(kind, FoundReader(address: .pcsc(name: name), name: name, presence: .iso15693))
  }

  @Test("is one document with what changed, when, and the value for --reader")
  func json() {
    var writer = JSONWriter(indented: false)
    ReaderChangeDocument.write((change(.sensorOn), time), to: &writer)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        {"schema":"libre.reader_change/1","change":"sensor_on","at":"2025-11-24T16:00:00Z",\
        "address":"pcsc:\(ReaderMachine.acr1552)","name":"\(ReaderMachine.acr1552)"}
        """)
  }

  @Test("is one line of text with a column of its own for each part, whatever the device calls itself")
  func line() {
    let lines = ReaderChange.Kind.allCases.map { ReaderChangeDocument.line(for: change($0, name: "A\nB"), at: time) }
    #expect(Set(lines.map(\.count)).count == 1)
    #expect(lines.allSatisfy { $0.filter(\.isNewline).count == 1 && $0.hasSuffix("\n") })
    #expect(lines[2].contains("  sensor on   A"))
  }
}
