// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import GlucoseReport

struct DataGapTests {
  private func points(_ minutes: [Double]) -> [GlucosePoint] {
    minutes.map { GlucosePoint(Instant(secondsSince1970: Int64($0 * 60)), 100) }
  }

  @Test("45 minutes are bridged, half a minute more is a gap")
  func limit() {
    let gaps = DataGap.among(points([0, 15, 60, 105.5, 120]))
    #expect(gaps.map(\.from) == [Instant(secondsSince1970: 3_600)])
    #expect(DataGap.among(points([0, 46])).map(\.minutes) == [46])
  }

  @Test("an empty list and a single value have no gap")
  func few() {
    #expect(DataGap.among([]).isEmpty && DataGap.among(points([7])).isEmpty)
    #expect(DataGap.among([], from: Instant(secondsSince1970: 0), to: Instant(secondsSince1970: 9_999)).isEmpty)
  }

  @Test("missing values at the ends of the requested period are a gap too")
  func ends() {
    let start = Instant(secondsSince1970: 0)
    let gaps = DataGap.among(points([100, 115]), from: start, to: start.adding(minutes: 300))
    #expect(gaps.map(\.minutes) == [100, 185])
    #expect(DataGap.among(points([30, 45]), from: start, to: start.adding(minutes: 90)).isEmpty)
  }
}
