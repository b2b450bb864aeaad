// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct StartAgreementTests {
  /// 2024-05-02T10:15:00Z.
  private static let start = Instant(secondsSince1970: 1_714_644_900)

  /// Returns a scan `second` seconds after the minute of that age began.
  private func scan(_ age: Int, second: Int64) -> StartAgreement.Scan {
    StartAgreement.Scan(
      readAt: Instant(secondsSince1970: Self.start.secondsSince1970 + Int64(age) * 60 + second),
      ageMinutes: age)
  }

  private func seconds(_ instant: Instant?) -> Int64? {
    instant.map { $0.secondsSince1970 - Self.start.secondsSince1970 }
  }

  @Test("one scan dates the start to the minute that ends its age before the scan")
  func oneScan() {
    let agreement = StartAgreement([scan(1_000, second: 25)])
    #expect(seconds(agreement?.after) == -35 && seconds(agreement?.until) == 25 && agreement?.votes == 1)
    #expect(StartAgreement([]) == nil)
  }

  @Test("every scan narrows the interval of the start from one side")
  func narrows() {
    let scans = [scan(1_000, second: 25), scan(1_500, second: 50), scan(2_000, second: 10), scan(3_000, second: 30)]
    for order in [scans, scans.reversed()] {
      let agreement = StartAgreement(order)
      #expect(seconds(agreement?.after) == -10 && seconds(agreement?.until) == 10 && agreement?.votes == 4)
    }
  }

  @Test(
    "a wrong clock is outvoted at any time; of clocks with as many scans that of the last one counts"
  )
  func outvoted() {
    let right = [scan(1_000, second: 25), scan(2_000, second: 10), scan(3_000, second: 30)]
    for wrong in [scan(500, second: 7_200), scan(2_500, second: -7_200)] {
      let agreement = StartAgreement([wrong] + right)
      #expect(seconds(agreement?.after) == -30 && seconds(agreement?.until) == 10 && agreement?.votes == 3)
    }
    let two = StartAgreement([scan(1_000, second: 0), scan(2_000, second: 3_600)])
    #expect(seconds(two?.until) == 3_600 && two?.votes == 1)
    let early = StartAgreement([scan(1_000, second: 0), scan(2_000, second: -3_600), scan(900, second: 7_200)])
    #expect(seconds(early?.until) == -3_600 && early?.votes == 1)
  }

  @Test("intervals that do not quite touch do not agree")
  func apart() {
    #expect(StartAgreement([scan(1, second: 0), scan(2, second: 60)])?.votes == 1)
    #expect(StartAgreement([scan(1, second: 0), scan(2, second: 59)])?.votes == 2)
  }
}
