// SPDX-License-Identifier: Apache-2.0
import CGMModel
import GlucoseReport
import LibreDocuments
import Testing

@testable import SensorHistory

struct ComparisonTableTests {
  @Test("the table has the bias of a calibration and the zones of its pairs in the error grid")
  func columns() {
    let pairs = (0..<6).compactMap { number in
      let sensor = 90 + 5 * Double(number)
      return GlucosePair(
        time: Instant(secondsSince1970: 1_714_644_900 + 900 * Int64(number)),
        reference: GlucoseConcentration(milligramsPerDecilitre: sensor + 10),
        sensor: GlucoseConcentration(milligramsPerDecilitre: sensor))
    }
    let comparison = Comparison(
      reference: "finger-sticks", referenceCount: pairs.count, models: [.init(name: "factory", pairs: pairs)])
    let table = ComparisonTable(unit: .milligramsPerDecilitre, style: Style(isColored: false)).text(
      of: comparison, within: 0)
    #expect(table.contains("-10.0") && table.contains("Parkes"))
  }
}
