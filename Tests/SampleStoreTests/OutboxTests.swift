// SPDX-License-Identifier: Apache-2.0
import CGMModel
import HostSystem
import Testing

@testable import SampleStore

final class OutboxTests: StoreTest {
  private let now = ReadingFixture.start.adding(minutes: 10_000)

  /// A sink with 32 queued samples.
  private func filled(_ rings: Set<SampleRing> = [.history]) throws -> StoredSink {
    let sink = try store.enrolled()
    _ = try store.add(sensor.scan(1_000))
    try store.fillOutbox(of: sink.id, rings: rings)
    return sink
  }

  /// Takes queued samples in batches of at most `limit` until none is left. A sample that stays after its delivery
  /// would come forever.
  private func handOut(of sink: StoredSink, limit: Int, _ receive: (StoredBatch) throws -> Void) throws {
    var count = 0
    while let batch = try store.nextBatch(of: sink.id, limit: limit) {
      count += 1
      try #require(count <= 100, "the same batches come again and again")
      try receive(batch)
    }
  }

  /// Takes everything queued for a sink, in batches of at most `limit`.
  private func drain(_ sink: StoredSink, rings: Set<SampleRing> = [.history], limit: Int = 1_000) throws -> [[Int]] {
    try store.fillOutbox(of: sink.id, rings: rings)
    var batches: [[Int]] = []
    try handOut(of: sink, limit: limit) { batch in
      batches.append(batch.samples.map(\.sample.minute.value))
      try store.delivered(batch.id, at: now)
    }
    return batches
  }

  @Test("a batch knows whether more of its stage are queued, without rings that are not requested")
  func others() throws {
    let sink = try store.enrolled(at: ReadingFixture.start.adding(minutes: 990))
    _ = try store.add(sensor.scan(1_000))
    for rings: Set<SampleRing> in [[.history, .trend], [.history]] { try store.fillOutbox(of: sink.id, rings: rings) }
    var others: [Bool] = []
    try handOut(of: sink, limit: 20) { batch in
      others.append(try store.hasOthers(besides: batch))
      try store.delivered(batch.id, at: now)
    }
    // 31 samples from before the sink, in two batches, and the newest one.
    #expect(others == [true, false, false])
  }

  @Test("a sink gets each sample once, oldest first, also where a batch has no room for all, and late scans afterwards")
  func lateScan() throws {
    let sink = try store.enrolled()
    _ = try store.add(sensor.scan(1_000))
    #expect(try drain(sink, limit: 12) == [35...46, 47...58, 59...66].map { $0.map { $0 * 15 } })
    #expect(try drain(sink) == [])
    // Eight earlier hours are missing; a dump found later fills the gap.
    _ = try store.add(sensor.scan(500))
    #expect(try drain(sink) == [(2...33).map { $0 * 15 }])
    _ = try store.add(sensor.scan(1_000))
    #expect(try drain(sink) == [])
  }

  @Test("batches are limited to the sink's maximum, to one week, and to samples before or after enrolment")
  func batches() throws {
    let enrolled = ReadingFixture.start.adding(minutes: 900)
    let sink = try store.enrolled(at: enrolled)
    try store.take(sensor.scan(1_000), sensor.scan(12_000))
    try store.fillOutbox(of: sink.id, rings: [.history])
    var sizes: [Int] = []
    try handOut(of: sink, limit: 10) { batch in
      sizes.append(batch.samples.count)
      let times = batch.samples.compactMap(\.sample.time)
      #expect(times == times.sorted() && times.allSatisfy { ($0 < enrolled) == batch.isHistorical })
      let minutes = batch.samples.map(\.sample.minute.value)
      #expect((minutes.max() ?? 0) - (minutes.min() ?? 0) < 10_080)
      try store.delivered(batch.id, at: now)
    }
    #expect(sizes.reduce(0, +) == 64 && sizes.allSatisfy { $0 <= 10 })
  }

  @Test("a started batch is sent again with the same key and samples, also by another process")
  func durable() throws {
    let sink = try filled()
    let batch = try #require(try store.nextBatch(of: sink.id, limit: 5))
    try store.attempt(batch.id)
    let other = try folder.store()
    let again = try #require(try other.nextBatch(of: sink.id, limit: 1_000))
    #expect(again.key == batch.key && again.samples == batch.samples && again.attempts == 1)
    #expect(batch.key.count == 16)
  }

  @Test("a batch that failed nine times lets others go first, and is not given up")
  func nineAttempts() throws {
    let sink = try filled()
    let stubborn = try #require(try store.nextBatch(of: sink.id, limit: 5))
    for _ in 0..<8 { try store.attempt(stubborn.id) }
    #expect(try store.nextBatch(of: sink.id, limit: 1_000)?.key == stubborn.key)
    try store.attempt(stubborn.id)
    let next = try #require(try store.nextBatch(of: sink.id, limit: 1_000))
    #expect(next.key != stubborn.key && next.samples.count == 27)
    try store.delivered(next.id, at: now)
    let last = try #require(try store.nextBatch(of: sink.id, limit: 1_000))
    #expect(last.key == stubborn.key && last.samples == stubborn.samples && last.attempts == 9)
  }

  @Test("flagged, unusable, salvaged, undated and too old samples, and those without a UID, are never sent")
  func unsendable() throws {
    let sink = try store.enrolled(from: ReadingFixture.start.adding(minutes: 600))
    let sensor = sensor.with {
      for (minute, quality) in [(915, SampleQuality.lowSignal), (930, .temperature), (945, .warmUp)] {
        $0.doubtful[.init(.history, minute)] = quality
      }
    }
    _ = try store.add(sensor.with { $0.flagged = [.init(.history, 900)] }.scan(1_000))
    _ = try store.add(sensor.with { $0.isSalvaged = true }.scan(2_000))
    _ = try store.add(sensor.other(number: 8).with { $0.source = .unknown }.scan(3_000))
    _ = try store.add(sensor.other(number: 9).withoutUID.scan(3_000))
    #expect(try drain(sink).flatMap { $0 } == (40...66).map { $0 * 15 }.filter { !(900...945).contains($0) })
    // The value that replaces the error is new to the sink.
    _ = try store.add(sensor.scan(1_001))
    #expect(try drain(sink) == [[900]])
    // A checked scan has the same counts as the salvaged one.
    _ = try store.add(sensor.scan(2_000))
    #expect(try drain(sink).flatMap { $0 }.count == 32)
  }

  @Test("a value of another model than the factory's is not sent")
  func otherModel() throws {
    let sink = try store.enrolled()
    let linear = CalibrationDescription(model: "linear", version: 1, parameters: [.init("slope", 0.1)])
    _ = try store.add(sensor.with { $0.calibration = linear }.scan(1_000))
    #expect(try drain(sink) == [])
    _ = try store.add(sensor.scan(1_001))
    #expect(try drain(sink) == [(35...66).map { $0 * 15 }])
  }

  @Test("a batch is halved until the invalid sample is alone, which is parked with the receiver's message")
  func bisection() throws {
    let sink = try filled()
    var requests = 0
    var sent: [Int] = []
    try handOut(of: sink, limit: 1_000) { batch in
      requests += 1
      let minutes = batch.samples.map(\.sample.minute.value)
      if !minutes.contains(750) {
        sent += minutes
        try store.delivered(batch.id, at: now)
      } else if try !store.halve(batch) {
        try store.park(batch.entries, of: batch.id, reason: "400: no", at: now)
      }
    }
    #expect(Set(sent) == Set((35...66).map { $0 * 15 }).subtracting([750]) && sent.count == 31)
    #expect(requests <= 12)
    let after = try #require(try store.sink("site"))
    #expect(after.parked == 1 && after.queued == 0)
    // The sample has changed, so it is sent again.
    _ = try store.reanchor(try store.only(), wear: 1, at: ReadingFixture.start.adding(minutes: 5))
    #expect(try drain(sink).flatMap { $0 }.count == 32)
    #expect(try store.sink("site")?.parked == 0)
  }

  @Test("a disabled sink continues where it stopped, or only with new samples")
  func enabling() throws {
    let (one, two) = (try store.enrolled("one"), try store.enrolled("two"))
    let stop = StoredSink.Stop(.receiver, "401: who are you?")
    for sink in [one, two] {
      try store.keep(["user": "a"], of: sink.id)
      try store.stop(sink.id, stop)
    }
    #expect(try store.sink("one")?.stop == stop)
    _ = try store.add(sensor.scan(1_000))
    try store.enable(one.id, receiver: one.receiver, skipsGap: false)
    try store.enable(two.id, receiver: "test https://example.net", skipsGap: true)
    // The facts are dropped, because the receiver may no longer know them.
    #expect(try store.sink("one")?.memory == [:] && store.sink("one")?.stop == nil)
    #expect(try drain(one).flatMap { $0 }.count == 32)
    #expect(try drain(two) == [])
    _ = try store.add(sensor.scan(1_030))
    #expect(try drain(two) == [[1_005, 1_020]])
    for (receiver, memory) in [(one.receiver, ["user": "a"]), ("test https://example.net", [:])] {
      try store.keep(["user": "a"], of: one.id)
      try store.stop(one.id, StoredSink.Stop(.user, "by you"))
      try store.enable(one.id, receiver: receiver, skipsGap: false)
      #expect(try store.sink("one")?.memory == memory && store.sink("one")?.receiver == receiver)
    }
    try store.removeSink(two.id)
    #expect(try store.sink("two") == nil && store.sinks().map(\.name) == ["one"])
    #expect(try store.faults() == [])
  }

  @Test("failures are counted until a success, and facts from the receiver are kept")
  func notes() throws {
    let sink = try store.enrolled()
    let later = now.adding(minutes: 5)
    try store.postpone(sink.id, nil, error: "500")
    try store.postpone(sink.id, StoredSink.Retry(at: later, isAsked: true), error: "503")
    try store.keep(["user": "a", "set": "b"], of: sink.id)
    try store.keep(["user": "c"], of: sink.id)
    let told = try #require(try store.sink("site"))
    #expect(
      told.failures == 2 && told.retry == StoredSink.Retry(at: later, isAsked: true) && told.lastError == "503"
        && told.memory == ["user": "c"])
    _ = try store.add(sensor.scan(1_000))
    _ = try drain(sink)
    let good = try #require(try store.sink("site"))
    #expect(good.failures == 0 && good.retry == nil && good.lastError == nil && good.lastSuccessAt == now)
  }

  @Test("samples that change while their batch is queued leave it, and come in another batch")
  func changedMeanwhile() throws {
    let sink = try filled()
    let begun = try #require(try store.nextBatch(of: sink.id, limit: 5))
    try store.attempt(begun.id)
    _ = try store.reanchor(try store.only(), wear: 1, at: ReadingFixture.start.adding(minutes: 5))
    try store.fillOutbox(of: sink.id, rings: [.history])
    let next = try #require(try store.nextBatch(of: sink.id, limit: 1_000))
    #expect(next.key != begun.key && next.attempts == 0 && next.samples.count == 32)
    #expect(next.samples.first?.sample.time == begun.samples.first?.sample.time?.adding(minutes: 5))
  }

  @Test("a ring that is not requested is held back from a started batch, and comes when requested")
  func heldBack() throws {
    let sink = try filled([.history, .trend])
    let begun = try #require(try store.nextBatch(of: sink.id, limit: 1_000))
    #expect(begun.samples.count == 48)
    try store.fillOutbox(of: sink.id, rings: [.history])
    let rest = try #require(try store.nextBatch(of: sink.id, limit: 1_000))
    #expect(rest.key == begun.key && rest.samples.map(\.sample.ring) == [SampleRing](repeating: .history, count: 32))
    try store.delivered(rest.id, at: now)
    #expect(try drain(sink, rings: [.history, .trend]) == [Array(985...1_000)])
  }

  @Test("parked samples are listed, and sent again or given up for good as the user decides")
  func parkedEntries() throws {
    let sink = try filled()
    let batch = try #require(try store.nextBatch(of: sink.id, limit: 3))
    try store.park(Array(batch.entries.prefix(2)), of: batch.id, reason: "too old", at: now)
    let letters = try store.parkedEntries(of: sink)
    #expect(letters.compactMap(\.entry.stored) == Array(batch.samples.prefix(2)))
    #expect(letters.allSatisfy { $0.reason == "too old" && $0.sink == "site" && $0.at == now })
    #expect(try store.nextBatch(of: sink.id, limit: 3)?.samples == Array(batch.samples.suffix(1)))
    #expect(try store.retryParked(of: sink.id) == 2)
    #expect(try store.sink("site")?.queued == 32 && store.parkedEntries(of: sink) == [])
    #expect(try store.drop(.queued, of: sink.id) == 32)
    #expect(try drain(sink) == [] && store.drop(.parked, of: sink.id) == 0)
    #expect(try store.faults() == [])
  }

  @Test("samples later than the given end stay in the outbox until their time has come")
  func future() throws {
    let sink = try filled()
    let end = ReadingFixture.start.adding(minutes: 600)
    let batch = try #require(try store.nextBatch(of: sink.id, limit: 1_000, until: end))
    #expect(batch.samples.map(\.sample.minute.value) == (35...40).map { $0 * 15 })
    try store.delivered(batch.id, at: now)
    #expect(try store.nextBatch(of: sink.id, limit: 1_000, until: end) == nil)
    #expect(try store.sink("site")?.queued == 26)
    let later = try #require(try store.nextBatch(of: sink.id, limit: 1_000, until: now))
    #expect(later.samples.map(\.sample.minute.value) == (41...66).map { $0 * 15 })
  }

  @Test("samples of a forgotten sensor are no longer sent")
  func forgotten() throws {
    let sink = try filled()
    let batch = try #require(try store.nextBatch(of: sink.id, limit: 3))
    try store.forget(try store.only())
    #expect(try store.nextBatch(of: sink.id, limit: 3) == nil && store.sink("site")?.queued == 0)
    try store.delivered(batch.id, at: now)
    #expect(try store.faults() == [])
  }
}
