// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import LibreKit
@testable import SensorHistory

@Suite("Files with different values of the same time") struct DifferingFilesTests {
  /// A value in each of several quarters of an hour.
  private func values(
    _ milligrams: Double, quarters: Range<Int>, device: String? = nil, seconds: Int64 = 0, ring: SampleRing = .history
  ) -> [HistoryEntry] {
    quarters.map { quarter in
      let time = Instant(secondsSince1970: 1_714_644_900 + Int64(quarter) * 900 + seconds)
      return .value(milligrams, at: time, source: "table", device: device, ring: ring)
    }
  }

  private func most(_ files: [HistoryEntry]...) -> DifferingFiles.Pair? {
    var differing = DifferingFiles()
    for (name, entries) in zip(["A.csv", "B.csv", "C.csv"], files) {
      differing.begin(name)
      for entry in entries { differing.add(entry) }
    }
    return differing.most
  }

  @Test("are named, with the number of quarters of an hour in which they differ")
  func named() {
    let pair = most(values(100, quarters: 0..<20), values(101, quarters: 12..<30))
    #expect(pair == DifferingFiles.Pair(first: "A.csv", second: "B.csv", quarters: 8))
    #expect(most(values(100, quarters: 0..<20), values(100, quarters: 0..<20, seconds: 60))?.quarters == 20)
    #expect(
      most(values(100, quarters: 0..<20), values(100, quarters: 20..<40), values(90, quarters: 20..<40))
        == DifferingFiles.Pair(first: "B.csv", second: "C.csv", quarters: 20))
  }

  @Test("are not files with the same values, files that follow each other, or files of two devices")
  func others() {
    #expect(most(values(100, quarters: 0..<20), values(100, quarters: 10..<30)) == nil)
    #expect(most(values(100, quarters: 0..<20), values(101, quarters: 20..<40)) == nil)
    #expect(most(values(100, quarters: 0..<20, device: "1"), values(101, quarters: 0..<20, device: "2")) == nil)
    #expect(most(values(100, quarters: 0..<20), values(101, quarters: 0..<20, ring: .trend)) == nil)
    #expect(most(values(100, quarters: 0..<20) + values(101, quarters: 0..<20)) == nil)
    #expect(most() == nil)
  }

  @Test("may share three quarters of an hour: one file ends in one, and the next begins")
  func boundary() {
    #expect(most(values(100, quarters: 0..<20), values(101, quarters: 17..<40)) == nil)
    #expect(most(values(100, quarters: 0..<20), values(101, quarters: 16..<40))?.quarters == 4)
  }
}
