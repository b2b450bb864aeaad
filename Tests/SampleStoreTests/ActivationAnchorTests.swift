// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

struct ActivationAnchorTests {
  private static let start = ReadingFixture.start

  /// Returns a scan `second` seconds after the minute of that age began.
  private func read(_ age: Int, second: Int64) -> (readAt: Instant, age: Int) {
    (Instant(secondsSince1970: Self.start.secondsSince1970 + Int64(age) * 60 + second), age)
  }

  private func anchor(_ reads: [(readAt: Instant, age: Int)]) -> ActivationAnchor {
    var anchor = ActivationAnchor()
    for read in reads { anchor.narrow(scanAt: read.readAt, ageMinutes: read.age) }
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
    #expect(!anchor.isHandedOut)
  }

  @Test("the start of the earliest scan is chosen, in whatever order scans are stored")
  func anyOrder() {
    let reads = [read(1_000, second: 25), read(1_500, second: 50), read(2_000, second: 10)]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let anchor = anchor(order.map { reads[$0] })
      #expect(seconds(anchor.activatedAt) == 25)
    }
  }

  @Test("once a time has been published the start does not change")
  func handedOut() {
    var anchor = anchor([read(1_500, second: 50)])
    anchor.isHandedOut = true
    let earlier = read(1_000, second: 25)
    anchor.narrow(scanAt: earlier.readAt, ageMinutes: earlier.age)
    #expect(seconds(anchor.activatedAt) == 50)
  }

  @Test("a start set by the user wins over scans and over a start that another store has published")
  func usersWord() {
    var anchor = anchor([read(1_500, second: 50)])
    (anchor.activatedAt, anchor.origin, anchor.readAt) = (Self.start.adding(minutes: -7), .user, nil)
    let earlier = read(1_000, second: 25)
    anchor.narrow(scanAt: earlier.readAt, ageMinutes: earlier.age)
    #expect(seconds(anchor.activatedAt) == -420)
    var other = self.anchor([read(900, second: 5)])
    other.isHandedOut = true
    anchor.join(other)
    #expect(seconds(anchor.activatedAt) == -420)
    #expect(anchor.origin == .user)
  }

  @Test("an imported start is replaced by a scan until it has been published")
  func imported() {
    var anchor = ActivationAnchor()
    (anchor.activatedAt, anchor.origin) = (Self.start, .history)
    let scan = read(1_000, second: 25)
    anchor.narrow(scanAt: scan.readAt, ageMinutes: scan.age)
    #expect(seconds(anchor.activatedAt) == 25)
    #expect(anchor.origin == .scan)
  }

  @Test("a merge takes the start of the earliest scan, in both directions")
  func join() {
    let (one, two) = (anchor([read(1_500, second: 50)]), anchor([read(1_000, second: 25), read(3_000, second: 10)]))
    var (left, right) = (one, two)
    left.join(two)
    right.join(one)
    #expect(left == right)
    #expect(seconds(left.activatedAt) == 25)
  }

  @Test("a start that only one store has published is kept in both directions")
  func joinHandedOut() {
    let early = anchor([read(1_000, second: 25)])
    var told = anchor([read(1_500, second: 50)])
    told.isHandedOut = true
    var (left, right) = (early, told)
    left.join(told)
    right.join(early)
    #expect(left == right)
    #expect(seconds(left.activatedAt) == 50)
    #expect(left.isHandedOut)
  }

  @Test("two starts that were both published are both kept")
  func joinBothHandedOut() {
    var (one, two) = (anchor([read(1_000, second: 25)]), anchor([read(1_500, second: 50)]))
    (one.isHandedOut, two.isHandedOut) = (true, true)
    var (left, right) = (one, two)
    left.join(two)
    right.join(one)
    #expect(seconds(left.activatedAt) == 25)
    #expect(seconds(right.activatedAt) == 50)
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
}
