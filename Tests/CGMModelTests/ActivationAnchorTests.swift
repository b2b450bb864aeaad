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

  @Test("one scan dates the start to the minute that ends its age before the scan")
  func oneScan() {
    let anchor = anchor([read(1_000, second: 25)])
    #expect(seconds(anchor.activatedAt) == 25)
    #expect(anchor.origin == .scan)
    #expect(anchor.readAt == read(1_000, second: 25).readAt)
  }

  @Test("of two stores' anchors that of the younger scan is taken, in both directions")
  func join() {
    let (one, two) = (anchor([read(1_500, second: 50)]), anchor([read(1_000, second: 25)]))
    var (left, right) = (one, two)
    left.join(two)
    right.join(one)
    #expect(left == right)
    #expect(seconds(left.activatedAt) == 25)
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

  @Test("starts that two users have set both stay")
  func joinBothSet() {
    var (one, two) = (ActivationAnchor(), ActivationAnchor())
    one.fix(Self.start)
    two.fix(Self.start.adding(minutes: -1))
    var (left, right) = (one, two)
    left.join(two)
    right.join(one)
    #expect(left == one && right == two)
  }

  @Test("the difference of a scan is counted in seconds, and is unknown until there is a start")
  func disagreement() {
    let anchor = anchor([read(1_000, second: 25)])
    let hour = read(2_000, second: 3_600)
    #expect(anchor.disagreement(scanAt: hour.readAt, ageMinutes: hour.age) == 3_575)
    let early = read(2_000, second: -100)
    #expect(anchor.disagreement(scanAt: early.readAt, ageMinutes: early.age) == -125)
    #expect(ActivationAnchor().disagreement(scanAt: hour.readAt, ageMinutes: hour.age) == nil)
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
