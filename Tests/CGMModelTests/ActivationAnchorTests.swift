// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

struct ActivationAnchorTests {
  /// 2024-05-02T10:15:00Z.
  private static let start = Instant(secondsSince1970: 1_714_644_900)

  /// Returns a scan `second` seconds after the minute of that age began.
  private func read(_ age: Int, second: Int64) -> (readAt: Instant, age: Int) {
    (Instant(secondsSince1970: Self.start.secondsSince1970 + Int64(age) * 60 + second), age)
  }

  private func anchor(_ reads: [(readAt: Instant, age: Int)]) -> ActivationAnchor {
    var anchor = ActivationAnchor()
    for read in reads { anchor.join(ActivationAnchor(scanAt: read.readAt, ageMinutes: read.age)) }
    return anchor
  }

  private func seconds(_ instant: Instant?) -> Int64? {
    instant.map { $0.secondsSince1970 - Self.start.secondsSince1970 }
  }

  @Test("of two stores' anchors that of the younger scan is taken in both directions; starts of two users both stay")
  func join() {
    var (one, two) = (anchor([read(1_500, second: 50)]), anchor([read(1_000, second: 25)]))
    let ours = one
    one.join(two)
    two.join(ours)
    #expect(one == two && seconds(one.activatedAt) == 25)
    one.fix(Self.start)
    two.fix(Self.start.adding(minutes: -1))
    var (left, right) = (one, two)
    left.join(two)
    right.join(one)
    #expect(left == one && right == two)
  }

  @Test("the user's start wins over a scan, a scan over an imported history, and that over a modification time")
  func ranks() {
    var user = ActivationAnchor()
    user.fix(Self.start.adding(minutes: -7))
    var imported = ActivationAnchor()
    (imported.activatedAt, imported.origin) = (Self.start.adding(minutes: -9), .history)
    var copied = ActivationAnchor(scanAt: read(10, second: 5).readAt, ageMinutes: 10, doubt: .modificationTime)
    let ranked = [user, anchor([read(1_000, second: 25)]), imported, copied, ActivationAnchor()]
    for (better, worse) in zip(ranked, ranked.dropFirst()) {
      var (left, right) = (better, worse)
      left.join(worse)
      right.join(better)
      #expect(left == better && right == better)
    }
    copied.fix(Self.start)
    #expect(!copied.isProvisional && copied.readAt == nil)
  }

  @Test("one scan dates the start, and the difference of another is counted in seconds")
  func disagreement() {
    let anchor = anchor([read(1_000, second: 25)])
    #expect(seconds(anchor.activatedAt) == 25 && anchor.origin == .scan)
    #expect(anchor.readAt == read(1_000, second: 25).readAt)
    for (second, difference) in [(3_600, 3_575), (-100, -125)] as [(Int64, Int)] {
      let scan = read(2_000, second: second)
      #expect(anchor.disagreement(scanAt: scan.readAt, ageMinutes: scan.age) == difference)
      #expect(ActivationAnchor().disagreement(scanAt: scan.readAt, ageMinutes: scan.age) == nil)
    }
  }

  @Test("a sensor that was watched for an hour beside a wrong clock does not outvote scans of two days")
  func watched() {
    let right = [read(1_000, second: 0), read(1_015, second: 0), read(2_000, second: 0)]
    let wrong = (0..<60).map { (readAt: read(2_100 + $0, second: -5 * 86_400).readAt, age: 2_100 + $0) }
    let scans = (right + wrong).map { StartAgreement.Scan(readAt: $0.readAt, ageMinutes: $0.age) }
    let anchor = ActivationAnchor(scans)
    #expect(seconds(anchor?.activatedAt) == 0 && anchor?.doubt == nil)
    // On one day each nobody can tell which clock is right.
    let disputed = ActivationAnchor(scans.filter { $0.ageMinutes != 2_000 })
    #expect(disputed?.doubt == .disputed && seconds(disputed?.activatedAt) == -5 * 86_400)
  }
}
