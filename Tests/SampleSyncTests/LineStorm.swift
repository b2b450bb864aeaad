// SPDX-License-Identifier: Apache-2.0
import SensorHistory

#if SQLite
  import CGMModel
  import Libre1Core
  import NFCTransport
  import SampleStore
  import Libre1Core
  import Synchronization
  import TestSupport
  import Testing

  @testable import LibreKit
  @testable import SampleSync

  /// One sensor that is read and sent again and again while reader, disk and receiver fail at random, by a seed.
  final class LineStorm {
    /// A sample of the one wear of the one sensor.
    struct Place: Hashable {
      let ring: SampleRing
      let minute: Int
    }

    let seed: UInt64
    let sensor: SimulatedSensor
    let server: FickleServer
    private let courier: FaultyCourier
    private var random: SplitMix64
    private var disk = FaultyDisk()
    private var open: SensorStore?
    private var age: Int
    private var clock = BenchClock()

    /// The samples that any valid scan returned, and those that the store reported as stored.
    private(set) var shown: Set<Place> = []
    private(set) var acknowledged: Set<Place> = []
    /// The samples read with a valid header: without one, counts are kept and no value is computed.
    private(set) var valued: Set<Place> = []
    /// The start of the sensor, once a time of a sample was published.
    private(set) var startTold: Instant?
    /// The same memories on a disk that never fails.
    let truth: SensorStore
    private(set) var tally = StormTally()

    init(seed: UInt64) throws {
      self.seed = seed
      random = SplitMix64(seed: 0x57_0123 ^ seed)
      var sensor = SimulatedSensor(seed: seed)
      age = random.number(30...12_000)
      sensor.disturbedMinutes = [age + 500...age + 520, age + 1_490...age + 1_520]
      self.sensor = sensor
      server = FickleServer(seed: seed, bad: [], limit: [5, 40, 1_000][Int(seed % 3)])
      courier = FaultyCourier(server, oneIn: 4, seed: seed)
      truth = try StoreFile.openInMemory()
    }

    // MARK: The store

    /// Opens the store if it is closed; after a simulated crash the machine is started again.
    private func store() throws(StoreError) -> SensorStore {
      if let open { return open }
      let store = try SensorStore(disk.path(), for: .writing, lockTimeoutSeconds: 0)
      open = store
      return store
    }

    private func note(_ error: LibreError) {
      tally.errors[error.code, default: 0] += 1
      guard let error = error.cause as? StoreError else { return }
      switch error {
      case .busy, .cannotOpen, .database, .diskFull: break
      default: Issue.record("seed \(seed): \(error)")
      }
      // The steps of a program after its restart.
      if random.number(0...1) == 0 { open = nil }
    }

    private func restartIfDead() {
      guard disk.hasDied else { return }
      open = nil
      count(disk)
      tally.powerCuts += 1
      disk = FaultyDisk(disk.survivors(&random))
    }

    private func count(_ disk: FaultyDisk) { tally.diskFaults += disk.faultCount }

    // MARK: One round

    func round() async throws {
      tally.rounds += 1
      age += random.number(0...5) == 0 ? random.number(500...900) : random.number(1...200)
      var faults: [DiskFault] = [.fails, .full, .locked, .fails, .full, .locked]
      if random.number(0...2) == 0 { faults.append(.powerLoss) }
      disk.storm(oneIn: random.number(10...150), faults, seed: random.next())
      if let reading = try await read(oneIn: UInt64(random.number(2...9))) { remember(reading) }
      restartIfDead()
      if random.number(0...2) > 0 { try await send(by: courier) }
      restartIfDead()
    }

    /// Returns the result of a scan of the sensor, during which the minute may change.
    private func read(oneIn: UInt64?) async throws -> SensorReading? {
      let (before, after) = (try clean(atAge: age), try clean(atAge: age + 1))
      let tick = random.number(1...60)
      let isLater = Mutex(false)
      let tag = SimulatedTag { exchange in
        if exchange >= tick { isLater.withLock { $0 = true } }
        return exchange < tick ? before : after
      }
      var reader: any TagReader = tag
      if let oneIn {
        let faulty = FaultyReader(tag, oneIn: oneIn, generator: random.branch(age))
        reader = FrameCheckingReader(reader: faulty, uid: sensor.uid, patchInfo: sensor.patchInfo)
      }
      let minute = sensor.activatedAt.adding(minutes: age).secondsSince1970
      let second = Int64(random.number(0...59))
      let report = await ScanRunner.run(on: reader, limit: .seconds(60)) {
        Instant(secondsSince1970: minute + (isLater.withLock { $0 } ? 60 : 0) + second)
      }
      tally.exchanges += report.meter.exchanges
      do throws(LibreError) {
        if let failure = report.failure { throw .transport(failure) }
        let reading = try Self.reading(of: report.image, by: report.reader)
        shown.formUnion(Self.places(in: reading))
        tally.readings += 1
        return reading
      } catch {
        switch (error.cause is MemoryError, error.cause as? TransportError) {
        case (true, _), (_, .tagLost), (_, .tagSilent), (_, .tag), (_, .malformedResponse):
          tally.errors[error.code, default: 0] += 1
        default: Issue.record("seed \(seed): \(error)")
        }
        return nil
      }
    }

    /// Returns the memory of the sensor at an age, and stores it as the expected data.
    private func clean(atAge age: Int) throws -> MemoryImage {
      var image = sensor.image(atAge: age)
      image.readAt = sensor.activatedAt.adding(minutes: age)
      _ = try truth.remember(try Self.reading(of: image, by: nil), calibration: .factory, zone: nil)
      return image
    }

    private static func reading(
      of image: MemoryImage, by reader: ReaderDescription?
    ) throws(LibreError) -> SensorReading {
      let source = ReadingSource(tool: Program.tool, path: nil, format: nil, dump: nil, sha256: "")
      return try DumpReading(memory: CheckedMemory(image), readAtSource: .clock, source: source, reader: reader)
        .reading(calibration: .factory, salvaging: false)
    }

    private static func places(in reading: SensorReading) -> [Place] {
      reading.samples.filter { !$0.raw.isNeverWritten }.map { Place(ring: $0.ring, minute: $0.minute.value) }
    }

    /// Stores a reading; after an error its samples may be stored or not.
    private func remember(_ reading: SensorReading) {
      for _ in 1...random.number(1...3) {
        do throws(LibreError) {
          let store: SensorStore
          do throws(StoreError) { store = try self.store() } catch { throw .store(error) }
          let remembered = try store.remember(reading, calibration: .factory, zone: nil)
          acknowledged.formUnion(Self.places(in: reading))
          if reading.integrity.header.isTrusted { valued.formUnion(Self.places(in: reading)) }
          tally.remembered += 1
          let start = remembered.receipt.activatedAt
          #expect(startTold == nil || start == startTold, "seed \(seed): the start has moved")
          startTold = start
          return
        } catch {
          note(error)
          restartIfDead()
        }
      }
    }

    /// Sends all queued samples; returns the result, or nil if the store failed.
    @discardableResult private func send(by courier: any Courier) async throws -> SyncResult? {
      let setup = try SyncBench.setup(send: ["glucose.history", "glucose.trend"])
      do throws(LibreError) {
        let store: SensorStore
        do throws(StoreError) {
          store = try self.store()
          try store.enrol(
            SyncBench.name, receiver: setup.receiver, at: clock.now, sendsFrom: Instant(secondsSince1970: 0))
        } catch { throw .store(error) }
        let stored = try store.enrolledSink(SyncBench.name)
        if stored.stop != nil { try store.enable(setup, skipsGap: false, environment: [:]) }
        let clock = clock
        var run = SinkRun(
          setup, PlainSink(maximumBatch: 60, kept: ["user"], session: ["token"]),
          enrolled: try store.enrolledSink(SyncBench.name), in: store, courier: courier,
          tools: SyncTools(now: { clock.now }, sleep: { await clock.sleep($0) }, random: { 0.5 }), report: { _ in })
        let result = try await run.run()
        tally.results[result, default: 0] += 1
        return result
      } catch {
        note(error)
        return nil
      }
    }

    private func sendAll() async throws {
      for _ in 0..<8 { if try await send(by: server) == .done { return } }
      Issue.record("seed \(seed): a receiver that is well does not get everything")
    }

    // MARK: The end

    /// Ends all faults, adds one more reading and sends the rest. Returns the final store.
    func calm() async throws -> SensorStore {
      disk.mend()
      age += 3
      let reading = try #require(try await read(oneIn: nil))
      remember(reading)
      server.recover()
      try await sendAll()
      let store = try self.store()
      if try store.retryParked(of: store.enrolledSink(SyncBench.name).id) > 0 { try await sendAll() }
      count(disk)
      tally.deliveryFaults = courier.faults.values.reduce(0, +)
      return store
    }
  }

  /// Statistics of the random faults.
  struct StormTally {
    var rounds = 0
    var exchanges = 0
    var readings = 0
    var remembered = 0
    var diskFaults = 0
    var powerCuts = 0
    var deliveryFaults = 0
    var results: [SyncResult: Int] = [:]
    /// Number of errors by code.
    var errors: [String: Int] = [:]
  }
#endif
