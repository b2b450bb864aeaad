// SPDX-License-Identifier: Apache-2.0
import CGMModel
import TestSupport
import Testing

@testable import Libre1Core

struct HistoryCrossCheckTests {
  /// Read at minute 1003: the history of minute 1000 − 10 = 990 is 13 minutes old, and its window 988…992 is in the
  /// trend.
  private func memory(_ counts: [Int: Int], history: Int, errors: Set<Int> = [], isHistoryBad: Bool = false)
    -> MemoryBuilder
  {
    var memory = MemoryBuilder(age: 1_003, trendIndex: 1_003 % 16)
    for minute in 988...1_003 {
      memory.setTrend(
        minute: minute, MemoryBuilder.record(glucose: counts[minute] ?? 900, hasError: errors.contains(minute)))
    }
    memory.setHistory(minute: 990, MemoryBuilder.record(glucose: history, hasError: isHistoryBad))
    return memory.sealed()
  }

  private static let window = [988: 1_000, 989: 1_001, 990: 1_003, 991: 1_004, 992: 1_006]

  private func unlike(_ memory: MemoryBuilder) throws -> [ReadingProblem] {
    try memory.decoded().problems.filter(\.isHistoryUnlikeTrend)
  }

  @Test(
    "a history record is the mean of the five trend records around it that have no error, rounded down",
    arguments: [
      // 5014 / 5 = 1002.8
      (1_002, [], nil), (1_003, [], 1_002), (1_001, [], 1_002),
      // Without 988: 4014 / 4 = 1003.5
      (1_003, [988], nil), (1_002, [988], 1_003),
      // A window of errors only gives no result.
      (9, [988, 989, 990, 991, 992], nil),
    ] as [(Int, Set<Int>, Int?)])
  func mean(history: Int, errors: Set<Int>, expected: Int?) throws {
    let found = try unlike(memory(Self.window, history: history, errors: errors))
    let minute = SensorMinute(990)
    #expect(
      found == (expected.map { [.historyUnlikeTrend(minute: minute, stored: history, expected: $0)] } ?? []))
    #expect(try unlike(memory(Self.window, history: 9, isHistoryBad: true)).isEmpty)
  }

  @Test("an incomplete window gives no result")
  func incomplete() throws {
    // Minute 988 was overwritten by minute 1004.
    var later = MemoryBuilder(age: 1_004, trendIndex: 1_004 % 16)
    for minute in 989...1_004 { later.setTrend(minute: minute, MemoryBuilder.record(glucose: 900)) }
    later.setHistory(minute: 990, MemoryBuilder.record(glucose: 5))
    #expect(try unlike(later.sealed()).isEmpty)
    // A slot that was never written.
    var empty = memory(Self.window, history: 9)
    empty.setTrend(minute: 991, [0, 0, 0, 0, 0, 0])
    #expect(try unlike(empty.sealed()).isEmpty)
    // A missing block: the one of bytes 28 + 6 × ((991 − 1) % 16) = 112.
    var missing = memory(Self.window, history: 9)
    missing.missingBlocks = [14]
    let salvaged = try missing.decoded(salvaging: true)
    #expect(salvaged.problems.filter(\.isHistoryUnlikeTrend) == [])
  }

  @Test("a simulated sensor is consistent at every age, also if it flags some of its values")
  func ages() throws {
    var (ages, testable) = (0, 0)
    for seed in UInt64(1)...3 {
      var sensor = SimulatedSensor(seed: seed)
      sensor.disturbedMinutes = [400...403, 700...720]
      // 11 is prime, so that its multiples meet every position of both rings.
      for age in stride(from: 1, through: 1_000, by: TestTier.current == .full ? 1 : 11) {
        ages += 1
        let decoded = try Libre1Decoder.decode(sensor.memory(atAge: age))
        #expect(decoded.problems.filter(\.isHistoryUnlikeTrend) == [], "seed \(seed), age \(age)")
        let newest = decoded.timeline.newestHistoryMinute?.value ?? 0
        if newest > 17, age - newest >= 4 { testable += 1 }
      }
    }
    // At most ages the window of the newest history record is in the trend.
    #expect(testable > ages / 3)
  }

  /// Recounted from the rows of INDEX.json, which another decoder made.
  @Test(
    "in real memories only windows of errors disagree",
    .enabled(if: ReferenceDumps.arePresent, "\(ReferenceDumps.absence)"))
  func reference() throws {
    var (testable, equal, errorsOnly) = (0, 0, 0)
    var flagged: [String] = []
    for vector in ReferenceDumps.vectors where vector.isReadable {
      let rows = try #require(vector.decoded)
      let trend = Dictionary((rows.trend ?? []).map { ($0.minute, $0) }, uniquingKeysWith: { first, _ in first })
      for row in rows.history ?? [] {
        let window = (row.minute - 2...row.minute + 2).compactMap { trend[$0] }
        guard window.count == 5 else { continue }
        let counts = window.filter { !$0.hasError }.map(\.glucose)
        testable += 1
        if counts.isEmpty { errorsOnly += 1 } else if counts.reduce(0, +) / counts.count == row.glucose { equal += 1 }
      }
      let decoded = try Libre1Decoder.decode(ReferenceDumps.bytes(of: vector.file))
      if decoded.problems.contains(where: \.isHistoryUnlikeTrend) {
        flagged.append(vector.file)
      }
    }
    print(
      "history against trend: \(testable) testable, \(equal) equal, \(errorsOnly) windows of errors only; told: \(flagged)"
    )
    #expect(flagged.isEmpty)
    #expect(equal + errorsOnly == testable)
    // 76 in the 118 memories at hand; Libre1Core/MemoryFormat, "History from the trend" counts 100 over a larger set.
    #expect(testable >= 76)
  }
}

extension ReadingProblem {
  fileprivate var isHistoryUnlikeTrend: Bool {
    if case .historyUnlikeTrend = self { true } else { false }
  }
}
