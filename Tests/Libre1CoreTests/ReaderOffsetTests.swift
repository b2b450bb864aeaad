// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Libre1Core

struct ReaderOffsetTests {
  private func old(_ minute: Int) -> Double {
    ReaderOffset(oldestMinute: minute - 465).milligrams(at: minute, newestHistoryMinute: minute, glucose: 100)
  }

  private func settling(_ minute: Int) -> Double {
    80 * (pow(1.00222222, -Double(minute)) - pow(1.00416667, -Double(minute)))
  }

  @Test(
    "nothing until day ten, then a straight rise to 12 mg/dL, which stays",
    arguments: [(3_360, 0.0), (14_399, 0), (14_400, 0), (20_880, 6), (27_360, 12), (65_535, 12)])
  func oldSensor(minute: Int, expected: Double) { #expect(abs(old(minute) - expected) < 1e-12) }

  @Test("a young sensor's difference of two decays, to many digits", arguments: [1, 15, 60, 330, 1_440, 2_880])
  func youngSensor(minute: Int) {
    let offset = ReaderOffset(oldestMinute: 1).milligrams(at: minute, newestHistoryMinute: minute, glucose: 120)
    #expect(abs(offset - settling(minute)) < 1e-11)
  }

  @Test("in the first day values under 120 are lifted as well")
  func lift() {
    let offset = ReaderOffset(oldestMinute: 15)
    func lift(_ minute: Int, _ glucose: Double) -> Double {
      offset.milligrams(at: minute, newestHistoryMinute: minute, glucose: glucose) - settling(minute)
    }
    #expect(abs(lift(720, 100) - 0.3 * 0.5 * 20) < 1e-11)
    #expect(abs(lift(360, 40) - 0.3 * 0.75 * 80) < 1e-11)
    #expect(abs(lift(1_439, 100) - 0.3 * 20 / 1_440) < 1e-11)
    #expect(abs(lift(1_440, 100)) < 1e-11)
    #expect(abs(lift(720, 120)) < 1e-11)
    #expect(abs(lift(720, 300)) < 1e-11)
  }

  @Test("a scan counts as old from an oldest minute of 2881 on")
  func border() {
    func offset(oldest: Int) -> Double {
      ReaderOffset(oldestMinute: oldest).milligrams(at: 3_000, newestHistoryMinute: 3_000, glucose: 200)
    }
    #expect(abs(offset(oldest: 2_880) - settling(3_000)) < 1e-11)
    #expect(offset(oldest: 2_881) == 0)
  }

  @Test("for every record of one scan of 32 it is the text's own rule")
  func oneScan() {
    for oldest in stride(from: 15, through: 3_500, by: 15) {
      for minute in stride(from: oldest, through: oldest + 465, by: 15) {
        let offset = ReaderOffset(oldestMinute: oldest).milligrams(
          at: minute, newestHistoryMinute: minute, glucose: 200)
        #expect(abs(offset - (oldest - 60 > 2_820 ? 0 : settling(minute))) < 1e-11)
      }
    }
  }

  @Test("merged scans differ by it from each of them by 0.134 mg/dL at most")
  func mergedScans() {
    var worst = 0.0
    for oldest in stride(from: 15, through: 4_000, by: 15) {
      for minute in stride(from: oldest, through: oldest + 465, by: 15) {
        for merged in [15, oldest / 2, oldest] {
          let offset = ReaderOffset(oldestMinute: merged).milligrams(
            at: minute, newestHistoryMinute: minute, glucose: 60)
          let alone = ReaderOffset(oldestMinute: oldest).milligrams(
            at: minute, newestHistoryMinute: minute, glucose: 60)
          worst = max(worst, abs(offset - alone))
        }
      }
    }
    #expect(worst < 0.134 && worst > 0.1)
  }

  @Test("without a history it goes by the scan's newest minute")
  func noHistory() {
    let offset = ReaderOffset(oldestMinute: nil)
    #expect(offset.milligrams(at: 3_000, newestHistoryMinute: 3_000, glucose: 200) == 0)
  }
}
