// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Libre1Core
import NFCTransport
import TestSupport
import Testing

@testable import SampleStore

/// Two sensors of one person at the same time: which samples count.
final class SupersededSampleTests: StoreTest {
  private let first = ReadingFixture()
  /// Started while the first one was worn.
  private let second = ReadingFixture().other(after: 1_000)

  /// The samples with what supersedes them.
  private func marked(_ scope: HistoryScope = HistoryScope(), in store: SensorStore? = nil) throws -> [StoredSample] {
    try (store ?? self.store).samples(.of { ($0.marksSuperseded, $0.scope) = (true, scope) })
  }

  /// Minutes since the first sensor was started at which samples of a sensor count, or do not.
  private func minutes(of sensor: ReadingFixture, counting: Bool, _ scope: HistoryScope = HistoryScope()) throws
    -> Set<Int>
  {
    Set(
      try marked(scope).filter { $0.sensor.uid == sensor.uid && ($0.supersededBy == nil) == counting }
        .compactMap { $0.sample.time.map { Int($0.secondsSince1970 - ReadingFixture.start.secondsSince1970) / 60 } })
  }

  private func row(of sensor: ReadingFixture) throws -> StoredSensor {
    try #require(try store.sensors().first { $0.identity.uid == sensor.uid })
  }

  // MARK: The rule, literally

  /// Which sensor supersedes each usable sample, by comparing every sample with every other.
  private func byTheText(_ store: SensorStore) throws -> [SampleID?: SensorUID] {
    struct Wear {
      let uid: SensorUID
      let number: Int
      let start: Instant?
      let isRunning: Bool
      let times: [Int64]
    }
    let usable = try store.samples().filter { $0.sample.usableConcentration != nil }
    var wears: [Wear] = []
    for sensor in try store.sensors() {
      guard let uid = sensor.identity.uid else { continue }
      for wear in sensor.wears {
        let own = usable.filter { $0.sensor.uid == uid && $0.wear == wear.number }
        wears.append(
          Wear(
            uid: uid, number: wear.number, start: wear.anchor.firmStart,
            isRunning: wear.facts.lastState == .active || wear.facts.lastState == .warmingUp,
            times: own.compactMap { $0.sample.time?.secondsSince1970 }))
      }
    }
    var found: [SampleID?: SensorUID] = [:]
    for stored in usable {
      guard let uid = stored.sensor.uid, let time = stored.sample.time?.secondsSince1970,
        let own = wears.first(where: { $0.uid == uid && $0.number == stored.wear }),
        let ownStart = stored.sample.time?.adding(minutes: -stored.sample.minute.value)
      else { continue }
      let superseding = wears.filter { other in
        guard other.uid != own.uid, let start = other.start else { return false }
        let isLater = start > ownStart || start == ownStart && other.uid.description > uid.description
        return isLater && other.times.contains { $0 <= time && $0 > time - 8 * 3_600 }
          && (other.isRunning || other.times.contains { $0 >= time })
      }
      let last = superseding.max {
        ($0.start?.secondsSince1970 ?? 0, $0.uid.description) < ($1.start?.secondsSince1970 ?? 0, $1.uid.description)
      }
      if let last { found[stored.id] = last.uid }
    }
    return found
  }

  /// Taps of two or three sensors that overlap, with gaps, errors and sensors that end.
  private func taps(_ draws: inout SplitMix64) -> [IncomingScan] {
    var scans: [IncomingScan] = []
    for number in 1...draws.number(2...3) {
      let sensor = first.other(after: draws.number(0...4) == 0 ? 0 : draws.number(0...2_000), number: number).with {
        for _ in 0..<20 { $0.flagged.insert(.init(.trend, draws.number(1...3_000))) }
        for _ in 0..<20 { $0.doubtful[.init(.history, 15 * draws.number(1...200))] = .temperature }
      }
      var age = draws.number(1...200)
      let count = draws.number(2...7)
      for tap in 1...count {
        let hasEnded = tap == count && draws.number(0...1) == 0
        scans.append(sensor.with { if hasEnded { $0.state = .shutdown } }.scan(age))
        age += draws.number(0...2) == 0 ? draws.number(450...1_500) : draws.number(1...40)
      }
    }
    return scans
  }

  @Test(
    "the samples that do not count are those of the rule, in whatever order the sensors were read",
    arguments: 0..<TestTier.rounds(4, full: 40))
  func rule(tenth: Int) throws {
    var superseded = 0
    for seed in tenth * 5..<tenth * 5 + 5 {
      var draws = SplitMix64(seed: UInt64(seed))
      var scans = taps(&draws)
      var results: [[SampleID?: SensorUID]] = []
      for order in 0..<3 {
        let store = try folder.store("\(seed)-\(order)")
        try store.database.execute("PRAGMA synchronous = OFF")
        for scan in scans { _ = try store.add(scan) }
        let found = try marked(in: store).compactMap { stored in
          stored.supersededBy.map { (stored.id, $0.uid ?? ReadingFixture.uid) }
        }
        results.append(Dictionary(uniqueKeysWithValues: found))
        let expected = try byTheText(store)
        #expect(results[order] == expected, "seed \(seed), order \(order)")
        superseded += expected.count
        scans.shuffle(using: &draws)
      }
      #expect(results[0] == results[1] && results[0] == results[2], "seed \(seed)")
    }
    #expect(superseded > 50)
  }

  @Test("two sensors that are read in turns never alternate: the one started last counts", arguments: [false, true])
  func turns(isLaterFirst: Bool) throws {
    for tap in 0..<20 {
      let minute = 1_200 + 30 * tap
      let scans = [first.scan(minute), second.scan(minute - 1_000)]
      for scan in isLaterFirst ? scans.reversed() : scans { _ = try store.add(scan) }
    }
    let counting = try marked().filter { $0.supersededBy == nil }.compactMap { stored in
      stored.sample.time.map { (time: $0, uid: stored.sensor.uid) }
    }.sorted { $0.time < $1.time }
    let changes = zip(counting, counting.dropFirst()).filter { $0.uid != $1.uid }
    #expect(changes.count == 1 && changes.first?.0.uid == first.uid && changes.first?.1.uid == second.uid)
    #expect(try !minutes(of: first, counting: false).isEmpty && minutes(of: second, counting: false).isEmpty)
    // The newest value is the later sensor's, whichever was read last.
    _ = try store.add(first.scan(2_000))
    let newest = try #require(try store.newestSample(isUsable: true))
    #expect(try newest.time == ReadingFixture.start.adding(minutes: 1_200 + 30 * 19) && store.sensors().count == 2)
    #expect(try store.newestSample(isUsable: false)?.time == ReadingFixture.start.adding(minutes: 2_000))
  }

  @Test("a provisional start supersedes nothing")
  func provisional() throws {
    try store.take(first.scan(1_500), second.with { $0.source = .modificationTime }.scan(500))
    #expect(try store.sensors().contains { $0.latestWear?.anchor.isProvisional == true })
    #expect(try marked().allSatisfy { $0.supersededBy == nil })
    _ = try store.add(second.scan(501))
    #expect(try marked().contains { $0.supersededBy != nil })
  }

  @Test("asked for one sensor, all of its values count")
  func scope() throws {
    try store.take(first.scan(1_500), second.scan(500))
    let scope = HistoryScope(of: try row(of: first).id)
    #expect(try marked(scope).allSatisfy { $0.supersededBy == nil })
    #expect(try store.newestSample(of: scope, isUsable: true)?.minute.value == 1_500)
  }

  @Test("only the samples whose standing changed count as changed, after a scan and after the sensor is forgotten")
  func changes() throws {
    _ = try store.add(first.scan(1_500))
    func changed(since anchor: StoreAnchor, of sensor: ReadingFixture) throws -> Set<Int> {
      Set(
        try store.samples(.of { $0.after = anchor }).filter { $0.sensor.uid == sensor.uid }
          .map(\.sample.minute.value))
    }
    var anchor = try store.anchor()
    _ = try store.add(second.scan(500))
    let superseded = try minutes(of: first, counting: false)
    #expect(superseded.count > 20)
    #expect(try changed(since: anchor, of: first) == superseded)
    anchor = try store.anchor()
    try store.take(second.scan(510), second.scan(510))
    #expect(try changed(since: anchor, of: first).isEmpty)
    anchor = try store.anchor()
    try store.forget(row(of: second))
    #expect(try changed(since: anchor, of: first) == superseded)
    #expect(try marked().allSatisfy { $0.supersededBy == nil })
  }

  // MARK: The outbox

  private func queued(_ sink: StoredSink.ID) throws -> Set<StoredSample> {
    let rows = try store.queued("outbox.sink = ? AND outbox.parked_for IS NULL", .integer(sink.row))
    return Set(rows.compactMap(\.entry.stored))
  }

  @Test("a sample that no longer counts leaves the outbox and the parked ones, and comes back when it counts again")
  func outbox() throws {
    let sink = try store.enrolled().id
    _ = try store.add(first.scan(1_500))
    try store.fillOutbox(of: sink, rings: [.history])
    let all = try queued(sink)
    let batch = try #require(try store.nextBatch(of: sink, limit: 1_000))
    let last = try #require(batch.entries.last)
    try store.park([last], of: batch.id, reason: "no", at: ReadingFixture.start)
    _ = try store.add(second.scan(500))
    try store.fillOutbox(of: sink, rings: [.history])
    let superseded = try minutes(of: first, counting: false)
    let left = try queued(sink)
    let ofFirst = left.filter { $0.sensor.uid == first.uid }
    #expect(superseded.isDisjoint(with: ofFirst.map(\.sample.minute.value)) && ofFirst.count < left.count)
    #expect(try store.parkedEntries(of: #require(try store.sink("site"))).isEmpty)
    try store.forget(row(of: second))
    try store.fillOutbox(of: sink, rings: [.history])
    #expect(try queued(sink) == all)
  }

  @Test(
    "an outbox that follows every change holds the same samples as one that is filled at the end",
    arguments: 0..<TestTier.rounds(4, full: 40))
  func follows(tenth: Int) throws {
    try store.database.execute("PRAGMA synchronous = OFF")
    for seed in tenth * 5..<tenth * 5 + 5 {
      var draws = SplitMix64(seed: UInt64(seed))
      for name in ["all", "end"] { try store.sink(name).map { try store.removeSink($0.id) } }
      for sensor in try store.sensors() { try store.forget(sensor) }
      let following = try store.enrolled("all").id
      for scan in taps(&draws).shuffled(using: &draws) {
        switch draws.number(0...9) {
        case 0: if let sensor = try store.sensors().randomElement(using: &draws) { try store.forget(sensor) }
        case 1: if let sample = try store.samples().randomElement(using: &draws) { _ = try store.remove(sample) }
        case 2:
          if let sensor = try store.sensors().randomElement(using: &draws),
            let start = sensor.wears.first?.anchor.activatedAt
          {
            _ = try store.reanchor(sensor, wear: 1, at: start.adding(minutes: draws.number(-300...300)))
          }
        default: break
        }
        _ = try store.add(scan)
        try store.fillOutbox(of: following, rings: [.history, .trend])
      }
      let atEnd = try store.enrolled("end").id
      try store.fillOutbox(of: atEnd, rings: [.history, .trend])
      #expect(try queued(following) == queued(atEnd), "seed \(seed)")
      #expect(try !queued(atEnd).isEmpty)
    }
  }
}
