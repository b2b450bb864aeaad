// SPDX-License-Identifier: Apache-2.0
import HistoryFormats
import Testing

@Suite("Detection of a history format by its signatures") struct ReaderDetectionTests {
  private let detector = Examples.readers

  @Test("every example has the signatures of its own format and of no other", arguments: Examples.all)
  func marks(example: Example) throws {
    #expect(try detector.detect(HistoryText(example.text)).name == example.format)
    #expect(Examples.readers.filter { $0.hasSignature(HistoryText(example.text)) }.map(\.name) == [example.format])
  }

  @Test("a file that is not a history has no format")
  func none() {
    for text in ["", "\u{FEFF}", "a,b\n1,2\n", "{}", "[]", "<html/>", "\u{0}\u{1}\u{2}", "22 48 00 00 03 00 00 00"] {
      #expect(throws: HistoryError.unknownFormat) { try detector.detect(HistoryText(text)) }
    }
  }

  @Test("a file with the signatures of two formats is refused as ambiguous")
  func several() {
    let text = #"[{"type":"cbg","uploadId":"x"},{"type":"sgv","sgv":100,"date":1714644900000}]"#
    #expect(throws: HistoryError.ambiguousFormat(["nightscout", "tidepool"])) { try detector.detect(HistoryText(text)) }
  }

  @Test("a format named by the user is used, and an unknown name is answered with the list of formats")
  func named() throws {
    #expect(try detector.detect(HistoryText("?"), as: "sidiary").name == "sidiary")
    #expect(throws: HistoryError.noSuchFormat("excel", known: Examples.readers.map(\.name))) {
      try detector.detect(HistoryText("?"), as: "excel")
    }
  }

  @Test(
    "a format that is forced on a file of another format refuses it before the first entry", arguments: Examples.all)
  func refusals(example: Example) {
    for reader in Examples.readers where reader.name != example.format {
      var found = 0
      do throws(HistoryError) {
        try reader.read(HistoryText(example.text), Examples.options) { _ in found += 1 }
        Issue.record("\(reader.name) takes a file of \(example.format)")
      } catch {
        switch error {
        case .notThisFormat: break
        // It says which columns another table has.
        case .columnsMissing where reader.name == "table": break
        default: Issue.record("\(reader.name): \(error)")
        }
      }
      #expect(found == 0)
    }
  }
}
