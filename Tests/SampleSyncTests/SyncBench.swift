// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import SampleStore
import SampleSync
import SensorHistory
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import LibreKit
@testable import SampleSync

/// A store with samples of simulated sensors, a clock that advances only by waiting, and the reported events.
final class SyncBench {
  static let name = "night"

  let store: SensorStore
  let clock: BenchClock
  private(set) var events: [SyncEvent] = []
  let path: String
  private let folder: TemporaryDirectory
  let setup: SinkSetup

  /// Creates it with a store file; the sink `night` is enrolled at `enrolledAt`, or now, with all earlier samples.
  init(
    _ history: BenchHistory = .large, _ values: [String: String] = [:], enrolledAt: Instant? = nil,
    send: [String]? = nil
  ) throws {
    folder = try TemporaryDirectory(isInMemory: true)
    path = try folder.write(history.bytes(), to: "history.sqlite")
    store = try StoreFile.openForWriting(path)
    clock = BenchClock()
    setup = try Self.setup(values, send: send)
    try store.enrol(
      Self.name, receiver: setup.receiver, at: enrolledAt ?? clock.now, sendsFrom: Instant(secondsSince1970: 0))
  }

  static func setup(_ values: [String: String] = [:], send: [String]? = nil) throws -> SinkSetup {
    let values = ["type": "webhook", "url": PlainSink.address].merging(values) { $1 }
    return try SinkSetup(SinkSection(path: "/c", name: name, values: values, send: send))
  }

  /// Enrols another sink, with all earlier samples.
  func another(_ name: String, _ values: [String: String], send: [String]? = nil) throws -> SinkSetup {
    let setup = try SinkSetup(SinkSection(path: "/c", name: name, values: values, send: send))
    try store.enrol(name, receiver: setup.receiver, at: clock.now, sendsFrom: Instant(secondsSince1970: 0))
    return setup
  }

  func tools(random: Double = 0.5) -> SyncTools { clock.tools(random: random) }

  /// Sends to a plain sink, and ignores the times set for it.
  func run(_ courier: any Courier, _ sink: PlainSink = PlainSink(), random: Double = 0.5) async throws -> SyncResult {
    var run = SinkRun(
      setup, sink, enrolled: try stored, in: store, courier: courier, tools: tools(random: random),
      report: { self.tell($0) })
    return try await run.run()
  }

  func tell(_ kind: SyncEvent.Kind) { events.append(SyncEvent(sink: Self.name, at: clock.now, kind: kind)) }

  /// Sends the rest to a receiver that accepts everything, unless the sink is stopped.
  static func finish(_ store: SensorStore, _ sink: PlainSink) async throws -> [PlainRequest] {
    let courier = ScriptedCourier(.status(200))
    let stored = try #require(try store.sink(name))
    if stored.stop != nil { return [] }
    var run = SinkRun(
      try setup(), sink, enrolled: stored, in: store, courier: courier, tools: BenchClock().tools(), report: { _ in })
    #expect(try await run.run() == .done)
    return courier.batches
  }

  func send(
    _ courier: any Courier, _ urgency: Sync.Urgency = .waits, to setups: [SinkSetup]? = nil,
    environment: [String: String] = [:], keeping open: OpenCouriers? = nil
  ) async throws -> SyncResult {
    let sync = Sync(
      tools: tools(), environment: environment, courier: { _, _ in courier }, report: { self.events.append($0) })
    return try await sync.send(to: setups ?? [setup], from: store, urgency: urgency, keeping: open)
  }

  var stored: StoredSink { get throws { try #require(try store.sink(Self.name)) } }

  func sendable(_ rings: Set<SampleRing> = [.history]) throws -> Set<PlainRequest.Line> {
    let sendable = try store.timeline().filter {
      rings.contains($0.sample.ring) && $0.sample.quality == .ok && $0.sample.concentration != nil
        && !$0.isSalvaged && $0.sample.time != nil
    }
    return Set(sendable.map { PlainRequest.Line(.sensor($0)) })
  }

  /// Adds another scan of a sensor, by default read at the time at which it has this age.
  @discardableResult func scan(
    _ sensor: SimulatedSensor, atAge age: Int, readAt: Instant? = nil
  ) throws -> SensorReading {
    var image = sensor.image(atAge: age)
    image.readAt = readAt ?? sensor.activatedAt.adding(minutes: age)
    let source = ReadingSource(tool: Program.tool, path: nil, format: nil, dump: nil, sha256: "")
    let reading = try DumpReading(memory: CheckedMemory(image), readAtSource: .file, source: source)
      .reading(calibration: .factory, salvaging: false)
    return try store.remember(reading, calibration: .factory, zone: nil).reading
  }

  func story() -> [String] {
    defer { events = [] }
    return events.map(\.words)
  }
}

/// A test with 92 samples of one sensor to send.
class SmallBenchTest {
  let bench: SyncBench

  init() throws { bench = try SyncBench(.small) }
}

extension ParkedEntry {
  var stored: StoredSample? {
    if case .sensor(let stored) = entry { stored } else { nil }
  }
}

extension SyncEvent {
  var words: String {
    switch kind {
    case .syncing(let queued): "syncing \(queued)"
    case .success(let receipt): "success \(receipt.samples.count)"
    case .failed(_, let failure, _, let rejected):
      "failed \(failure.rawValue)" + (rejected.isEmpty ? "" : " \(rejected.count)")
    case .removed(let ids): "removed \(ids.count)"
    case .nothingToSync: "nothing"
    case .rehearsed: "rehearsed"
    case .retryScheduled(let at, _, _): "retry in \(at.secondsSince1970 - self.at.secondsSince1970)"
    case .paused(let reason): "paused: \(reason)"
    case .waitsForClock(let count, _): "waits for the clock: \(count)"
    case .waitsForInterval(let count, let until):
      "waits for its interval: \(count) for \(until.secondsSince1970 - at.secondsSince1970)"
    case .completed(let tally):
      "completed: \(tally.accepted) accepted, \(tally.duplicates.map(String.init) ?? "?") had, "
        + "\(tally.parked) parked, \(tally.queued) queued"
    }
  }
}

/// A clock of whole seconds that starts in 2026, after all samples.
final class BenchClock: Sendable {
  private let state = Mutex<(now: Instant, sleeps: [Double])>((Instant(secondsSince1970: 1_780_000_000), []))

  var now: Instant { state.withLock { $0.now } }
  var sleeps: [Double] { state.withLock { $0.sleeps } }

  func sleep(_ seconds: Double) async -> Bool {
    state.withLock { $0.sleeps.append(seconds) }
    advance(Int64(seconds.rounded(.up)))
    return true
  }

  func tools(random: Double = 0.5) -> SyncTools {
    SyncTools(now: { self.now }, sleep: { await self.sleep($0) }, random: { random })
  }

  func advance(_ seconds: Int64) {
    state.withLock { $0.now = Instant(secondsSince1970: $0.now.secondsSince1970 + seconds) }
  }
}

/// Stores that several tests start with, created once.
struct BenchHistory: Sendable {
  private let contents: Result<[UInt8], any Error>

  func bytes() throws -> [UInt8] { try contents.get() }

  private init(_ fill: (StoredHistory) throws -> Void) {
    contents = Result {
      var history: StoredHistory? = try StoredHistory()
      guard let folder = history?.folder else { return [] }
      if let history { try fill(history) }
      // The last connection removes the log when it closes.
      history = nil
      return try folder.bytes(of: "history.sqlite")
    }
  }

  static let person = SimulatedSensor(seed: 11)

  /// Two sensors, one of them started twice, with 1056 history values, some of them flagged.
  static let large = BenchHistory { history in
    var sensor = person
    sensor.disturbedMinutes = [1_190...1_225]
    for scan in 1...12 { try history.scan(sensor, atAge: 480 * scan) }
    // Other temperatures make it another wear.
    sensor.celsius = 33.5
    for scan in 1...6 { try history.scan(sensor, atAge: 480 * scan, clockAhead: 30 * 86_400) }
    for scan in 1...15 { try history.scan(SimulatedSensor(seed: 12), atAge: 480 * scan) }
  }

  static let empty = BenchHistory { _ in }

  /// 60 values of one sensor after its first hour, in which it warms up.
  static let tiny = BenchHistory { history in
    for scan in 1...2 { try history.scan(person, atAge: 480 * scan) }
  }

  /// 92 values of one sensor after its first hour, in which it warms up.
  static let small = BenchHistory { history in
    for scan in 1...3 { try history.scan(person, atAge: 480 * scan) }
  }
}
