// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import LibreDocuments
import NFCTransport
import TestSupport
import Testing
import TextFormats

@testable import LibreKit

struct ReaderSurveyTests {
  private static let names = [
    "ACS ACR1552 1S CL Reader PICC 00 00", "ACS ACR122U PICC Interface 00 00", "Virtual PCD 00 00",
    "Feitian R502 CL 00 00",
  ]

  private static func found(_ name: String, _ presence: FoundReader.Presence = .nothing) -> FoundReader {
    FoundReader(address: .pcsc(name: name), name: name, presence: presence)
  }

  private func document(_ pcsc: Result<[FoundReader], TransportError>) -> ReaderSurvey {
    ReaderSurvey(ways: [
      .init(scheme: "pcsc", summary: "PC/SC readers", result: pcsc),
      .init(scheme: "sim", summary: "simulated sensors", result: .success([])),
    ])
  }

  private func json(_ document: ReaderSurvey) throws -> JSONValue {
    var writer = JSONWriter(indented: true)
    ReadersJSON.write(document, to: &writer)
    return try JSONValue(parsing: writer.bytes)
  }

  private func text(_ document: ReaderSurvey) -> String {
    ReadersText(style: Style(isColored: false)).text(of: document)
  }

  private struct Stub: ReaderBackend {
    let scheme: String
    let summary = "a stub"
    let answer: Result<[FoundReader], TransportError>

    func open(_ address: ReaderAddress) async throws(TransportError) -> any TagReader {
      throw .unknownAddress(address.description)
    }

    func readers() async throws(TransportError) -> [FoundReader] { try answer.get() }
  }

  @Test("every kind of connection is searched, also after one that cannot be used")
  func asking() async {
    let reader = Self.found(Self.names[0])
    let document = await ReaderSurvey(asking: [
      Stub(scheme: "nfc", answer: .failure(.libraryMissing("libnfc.so.6"))),
      Stub(scheme: "pcsc", answer: .success([reader])),
    ])
    #expect(document.ways.map(\.scheme) == ["nfc", "pcsc"])
    #expect(document.ways[0].error == .libraryMissing("libnfc.so.6"))
    #expect(document.readers.map(\.reader) == [reader])
    #expect(document.exitStatus == 0)
    // The exit status is the error's only if the error left no reader.
    #expect(self.document(.success([])).exitStatus == 0)
    #expect(self.document(.failure(.noDaemon)).exitStatus == 69)
    #expect(self.document(.failure(.accessDenied)).exitStatus == 77)
  }

  @Test("the catalogue decides whether a reader can read sensors, unless the reader has found a tag of a sensor's kind")
  func ability() {
    let judged = Self.names.map { ReaderAssessment(Self.found($0)) }
    #expect(judged.map(\.iso15693) == [.yes, .no, .unknown, .unknown])
    #expect(judged.map { $0.reason == nil } == [true, false, false, false])
    #expect(judged.map { $0.kind == nil } == [false, false, true, false])
    #expect(judged[0].dialects == ["transparent-session", "acs-pass-through"])
    for name in Self.names {
      #expect(ReaderAssessment(Self.found(name, .iso15693)).iso15693 == .yes)
      #expect(ReaderAssessment(Self.found(name, .iso15693)).reason == nil)
    }
  }

  @Test("a connection that cannot be used, and one without a reader, is reported with the reason and a fix")
  func error() throws {
    let document = document(.failure(.noDaemon))
    let error = try json(document)["ways"][0]["error"]
    #expect(error["code"] == .string("no_daemon"))
    #expect(
      text(document).hasPrefix("pcsc: \(error["message"].text ?? "?")\n  Try: \(error["resolution"].text ?? "?")\n"))
    #expect(!text(document).contains("No reader"))
    #expect(text(self.document(.success([]))).hasPrefix("No reader is connected.\n  Try: libre readers --supported\n"))
    // A name cannot command the terminal.
    #expect(!text(self.document(.success([Self.found("Evil\u{1B}[2J")]))).contains("\u{1B}"))
  }

  @Test("the table shows for each reader its address, what is on it and whether it can read sensors")
  func table() {
    let document = document(.success([Self.found(Self.names[0], .iso15693), Self.found(Self.names[1])]))
    #expect(
      text(document) == """
        ACS ACR1552 1S CL Reader PICC 00 00
          address   pcsc:ACS ACR1552 1S CL Reader PICC 00 00
          on it     an ISO 15693 tag, as sensors are
          sensors   yes (documented; untested on hardware)
          known as  ACS ACR1552U
          dialect   transparent-session, or acs-pass-through
          note      sends any frame as it is; the best choice known

        ACS ACR122U PICC Interface 00 00
          address   pcsc:ACS ACR122U PICC Interface 00 00
          on it     nothing
          sensors   no: its PN532 chip does not support ISO 15693
          known as  ACS ACR122U, Touchatag

        Addresses to enter yourself
          sim:  simulated sensors

        """)
  }
}
