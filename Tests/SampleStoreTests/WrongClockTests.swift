// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Testing

@testable import SampleStore

/// Tests reads by a computer whose clock was wrong: a board without a battery, for example.
final class WrongClockTests: StoreTest {
  /// The taps of one sensor, in order: for each the seconds by which the computer's clock was ahead.
  struct Situation: CustomTestStringConvertible {
    let testDescription: String
    let clocks: [Int64]
    /// When they were, in quarters of an hour.
    let quarters: [Int]
    /// After each tap: the seconds by which the start is late, the doubt, and the number of values that may be sent.
    let expected: [(start: Int64, doubt: StartDoubt?, sent: Int)]

    init(
      _ name: String, _ clocks: [Int64], at quarters: [Int]? = nil,
      _ expected: [(start: Int64, doubt: StartDoubt?, sent: Int)]
    ) {
      (testDescription, self.clocks, self.expected) = (name, clocks, expected)
      self.quarters = quarters ?? Array(clocks.indices)
    }

    var taps: [IncomingScan] { zip(quarters, clocks).map { WrongClockTests.tap($0, clock: $1) } }
  }

  /// 2026-11-10T10:00:00Z: after this version was written.
  private static let start = Instant(secondsSince1970: 1_794_304_800)
  private static let day: Int64 = 86_400
  private static let hour: Int64 = 3_600
  private static let in1970 = -start.secondsSince1970 - 60_000
  private static let in2020 = Int64(1_577_836_800) - start.secondsSince1970
  private static let year = 365 * day

  static let situations = [
    Situation("right clocks", [0, 0, 0], [(0, nil, 32), (0, nil, 33), (0, nil, 34)]),
    Situation(
      "1970 at the first tap", [in1970, 0, 0], [(in1970, .clockNotSet, 0), (0, nil, 33), (0, nil, 34)]),
    Situation(
      "2020 at the first two taps", [in2020, in2020, 0],
      [(in2020, .clockNotSet, 0), (in2020, .clockNotSet, 0), (0, nil, 34)]),
    Situation("1970 at a later tap", [0, in1970, 0], [(0, nil, 32), (0, nil, 33), (0, nil, 34)]),
    Situation(
      "five days behind at the first tap", [-5 * day, 0, 0],
      [(-5 * day, nil, 32), (0, .disputed, 0), (0, nil, 34)]),
    Situation(
      "five days behind at two taps, then right ones until the next day", [-5 * day, -5 * day, 0, 0, 0],
      at: [0, 1, 2, 3, 30],
      [
        (-5 * day, nil, 32), (-5 * day, nil, 33), (-5 * day, nil, 34), (0, .disputed, 0), (0, nil, 62),
      ]),
    Situation(
      "ten years ahead at the first tap", [10 * year, 0, 0],
      [(10 * year, nil, 32), (0, .disputed, 0), (0, nil, 34)]),
    Situation(
      "ten years ahead at a later tap", [0, 0, 10 * year, 0],
      [(0, nil, 32), (0, nil, 33), (0, nil, 34), (0, nil, 35)]),
    Situation(
      "an hour ahead at the first tap", [hour, 0, 0], [(hour, nil, 32), (hour, nil, 33), (0, nil, 34)]),
    Situation("an hour behind at a later tap", [0, 0, -hour], [(0, nil, 32), (0, nil, 33), (0, nil, 34)]),
  ]

  @Test("the start follows the clocks that can be right, and nothing is sent in doubt", arguments: situations)
  func situation(_ situation: Situation) throws {
    let start = Self.start.adding(days: -8_000 * 4)
    let sink = try store.enrolled(at: start, from: start).id
    for (index, tap) in situation.taps.enumerated() {
      let receipt = try store.add(tap)
      let expected = situation.expected[index]
      #expect(
        receipt.activatedAt?.secondsSince1970 == Self.start.secondsSince1970 + expected.start, "tap \(index + 1)")
      #expect(receipt.doubt == expected.doubt, "tap \(index + 1)")
      try store.fillOutbox(of: sink, rings: [.history])
      #expect(try store.sink(sink)?.queued == expected.sent, "tap \(index + 1)")
    }
  }

  @Test("in any order the same scans give the same start", arguments: situations)
  func order(_ situation: Situation) throws {
    let scans = situation.taps
    let other = try folder.store("other.sqlite")
    for scan in scans { _ = try store.add(scan) }
    for scan in scans.reversed() { _ = try other.add(scan) }
    let (left, right) = (try store.onlyWear().anchor, try other.onlyWear().anchor)
    #expect(left.activatedAt == right.activatedAt && left.doubt == right.doubt)
  }

  @Test("a clock before the confirmed scans of another sensor does not date a new one")
  func behindOtherSensors() throws {
    for tap in 0...1 { _ = try store.add(Self.tap(tap, clock: 0)) }
    let next = Self.sensor(clock: -Self.day).with { $0.uid = ReadingFixture.otherUID }
    let receipt = try store.add(next.scan(500))
    #expect(receipt.doubt == .clockNotSet && receipt.scanDoubt == .clockNotSet)
    #expect(try store.add(next.with { $0.clockError = 20 * Self.day }.scan(510)).doubt == nil)
  }

  @Test("one unconfirmed scan of another sensor, and a file's own time, are not compared")
  func notBehind() throws {
    _ = try store.add(Self.tap(0, clock: 10 * Self.year))
    let next = Self.sensor(clock: 0).with { $0.uid = ReadingFixture.otherUID }
    #expect(try store.add(next.scan(500)).doubt == nil)
    _ = try store.add(Self.tap(1, clock: 10 * Self.year))
    #expect(try store.add(next.with { $0.source = .file }.scan(510)).scanDoubt == nil)
  }

  @Test("a start that the user has set is never in doubt")
  func userStart() throws {
    for (tap, clock) in [0, 10 * Self.year].enumerated() { _ = try store.add(Self.tap(tap, clock: clock)) }
    _ = try store.reanchor(try store.only(), wear: 1, at: Self.start)
    let receipt = try store.add(Self.tap(2, clock: -5 * Self.day))
    #expect(receipt.doubt == nil && receipt.activatedAt == Self.start)
  }

  private static func sensor(clock: Int64) -> ReadingFixture {
    ReadingFixture().with { ($0.source, $0.startedAt, $0.clockError) = (.clock, start, clock) }
  }

  /// A tap every quarter of an hour, each with one history value more.
  fileprivate static func tap(_ index: Int, clock: Int64) -> IncomingScan {
    sensor(clock: clock).scan(1_000 + 15 * index)
  }
}
