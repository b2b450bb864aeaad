// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import HistoryFormats

struct WriterMemoryTests {
  @Test(
    "the amount that a writer returns at each step does not grow with the number of earlier entries",
    arguments: [
      CSVWriter() as any HistoryWriter, NDJSONWriter(), LibreViewWriter(), AppleHealthWriter(), OpenMHealthWriter(),
      FHIRWriter(), TidepoolWriter(), TerraWriter(), VitalWriter(),
    ])
  func streams(_ writer: any HistoryWriter) {
    var document = writer.document(WriterEntries.context())
    var longest = document.begin().count
    var total = longest
    let count = 500
    for quarter in 0..<count {
      let time = Instant(secondsSince1970: 1_700_000_000 + Int64(quarter) * 900)
      let entry = WriterEntries.sample(
        .history, minute: 60 + quarter, time: time.rfc3339, glucose: 100)
      let bytes = document.add(entry)
      longest = max(longest, bytes.count)
      total += bytes.count
    }
    longest = max(longest, document.end().count)
    // Terra's step is a day of 96 values; the step of every other writer is one value, or the beginning.
    #expect(longest < 20_000 && total > count * 50, "\(writer.name): \(longest) of \(total)")
    #expect(document.leftOut.isEmpty)
  }
}
