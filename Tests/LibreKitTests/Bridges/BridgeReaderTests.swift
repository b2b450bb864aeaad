// SPDX-License-Identifier: Apache-2.0
import CGMModel
import Libre1Core
import Meters
import NFCTransport
import TestSupport
import Testing

@testable import LibreKit

@Suite("A bridge as a reader")
struct BridgeReaderTests {
  private static let sensor = SimulatedSensor(seed: 3)
  private static let address = ReaderAddress(scheme: "bridge")

  private func open(_ link: any MeterLink, _ clock: SleptClock, accepts: Bool = false) async throws -> BridgeReader {
    let language = try #require(BridgeModel.named(link.identity.name)?.language)
    return try await BridgeReader.open(
      link, speaking: language, at: Self.address, acceptsSensor: accepts, now: { clock.now.slept })
  }

  /// A bridge whose sensor is 4000 minutes old at first.
  private func bridge(
    _ language: BridgeLanguage, _ fault: SimulatedBridgeFault? = nil, pieceLength: Int = 20, clock: SleptClock
  ) -> SimulatedBridge {
    SimulatedBridge(language, fault, pieceLength: pieceLength, clock: clock) { time in
      Self.sensor.image(atAge: 4_000 + Int(time / .seconds(60)))
    }
  }

  // MARK: Readings

  @Test(
    "gives the same scan as the sensor itself on a reader", arguments: BridgeLanguage.allCases, [20, 244])
  func sameScan(language: BridgeLanguage, pieceLength: Int) async throws {
    for scenario in Scenario.all where scenario.image(seed: 1).bytes.count == Self.memoryLength {
      var image = scenario.image(seed: 1)
      image.readAt = nil
      guard image.uid != nil, image.missingBlocks.isEmpty else { continue }
      let clock = SleptClock()
      let link = SimulatedBridge(language, pieceLength: pieceLength, clock: clock) { [image] _ in image }
      let report = await ScanRunner.run(on: try await open(link, clock))
      let direct = await ScanRunner.run(on: SimulatedTag { [image] _ in image })
      #expect(report.failure == direct.failure && report.image == direct.image, "\(scenario.name)")
    }
  }

  private static let memoryLength = 344

  @Test("names itself with its firmware, and tells the charge of its battery")
  func description() async throws {
    let clock = SleptClock()
    let miaoMiao = await ScanRunner.run(on: try await open(bridge(.miaoMiao, clock: clock), clock)).reader
    #expect(miaoMiao.name == "miaomiao2 simulated, firmware 0007" && miaoMiao.batteryPercent == 92)
    #expect(miaoMiao.address == "bridge" && miaoMiao.dialect == "miaomiao")
    let bubble = await ScanRunner.run(on: try await open(bridge(.bubble, .lowBattery, clock: clock), clock)).reader
    #expect(bubble.name == "Bubble simulated, firmware 2.0" && bubble.batteryPercent == 15)
  }

  @Test("waits for the next reading as for the next tap", arguments: BridgeLanguage.allCases)
  func nextReading(language: BridgeLanguage) async throws {
    let clock = SleptClock()
    let reader = try await open(bridge(language, clock: clock), clock)
    var ages: [Int] = []
    for _ in 0..<4 {
      let report = await ScanRunner.run(on: reader)
      ages.append(Int(report.image.bytes[316]) | Int(report.image.bytes[317]) << 8)
      try await reader.waitForRemoval()
    }
    #expect(ages == [4_000, 4_005, 4_010, 4_015])
    await reader.close()
    await #expect(throws: TransportError.self) { try await reader.waitForTag(within: .seconds(60)) }
  }

  @Test("has no tag if no reading comes in time")
  func noTag() async throws {
    let clock = SleptClock()
    let reader = try await open(bridge(.miaoMiao, clock: clock), clock)
    try await reader.waitForTag(within: .seconds(60))
    await #expect(throws: TransportError.noTag) { try await reader.waitForTag(within: .seconds(60)) }
    try await reader.waitForTag(within: .seconds(600))
    // It is cancelled at once.
    let second = SleptClock()
    let waiting = try await open(bridge(.miaoMiao, clock: second), second)
    let task = Task { try await waiting.waitForRemoval() }
    task.cancel()
    let result = await task.result
    let isCancelled = if case .failure(let error) = result { error as? TransportError == .cancelled } else { true }
    #expect(isCancelled)
  }

  // MARK: Repetitions

  @Test("asks for the memory again if a checksum is wrong, once", arguments: BridgeLanguage.allCases)
  func wrongChecksum(language: BridgeLanguage) async throws {
    let clock = SleptClock()
    let report = await ScanRunner.run(on: try await open(bridge(language, .checksum, clock: clock), clock))
    #expect(report.failure == nil)
    #expect(report.memory.integrity(in: MemoryMap.geometry).body == .ok)
    #expect(report.image.bytes == Self.sensor.memory(atAge: 4_000))
  }

  @Test("does not ask more than twice, and keeps what it has")
  func stubbornChecksum() async throws {
    let clock = SleptClock()
    let log = BridgeLog()
    var bytes = Self.sensor.memory(atAge: 4_000)
    bytes[100] ^= 0x10
    let image = MemoryImage(bytes: bytes, uid: Self.sensor.uid, patchInfo: Self.sensor.patchInfo)
    let link = LoggedLink(base: SimulatedBridge(.miaoMiao, clock: clock) { _ in image }, log: log)
    let report = await ScanRunner.run(on: try await open(link, clock))
    #expect(report.failure == nil && report.image.bytes == bytes)
    #expect(await log.writes == ["F0", "F0", "F0"])
    // A torn memory lacks no data, and is not asked for again.
    let other = SleptClock()
    let tornLog = BridgeLog()
    let tornImage = try #require(Scenario.named("torn")).image(seed: 1)
    let tornLink = LoggedLink(base: SimulatedBridge(.miaoMiao, clock: other) { _ in tornImage }, log: tornLog)
    let tornReport = await ScanRunner.run(on: try await open(tornLink, other))
    #expect(tornReport.memory.integrity(in: MemoryMap.geometry).body == .torn)
    #expect(await tornLog.writes == ["F0"])
  }

  @Test("starts anew if another sensor answers the repetition")
  func exchanged() async throws {
    let clock = SleptClock()
    let other = SimulatedSensor(seed: 4)
    let link = SimulatedBridge(.miaoMiao, clock: clock) { time in
      if time > .milliseconds(1_100) { return other.image(atAge: 200) }
      var image = Self.sensor.image(atAge: 4_000)
      image.bytes[100] ^= 0x10
      return image
    }
    let report = await ScanRunner.run(on: try await open(link, clock))
    #expect(report.image.uid == other.uid && report.image.bytes == other.memory(atAge: 200))
  }

  // MARK: Situations

  struct Situation: Sendable {
    let language: BridgeLanguage
    let fault: SimulatedBridgeFault?
    /// What the link does in place of the bridge, from this event on.
    let event: MeterEvent?
    let accepts: Bool
    /// Why the reader cannot be used; nil for a reading.
    let reason: String?

    init(
      _ language: BridgeLanguage = .miaoMiao, _ fault: SimulatedBridgeFault? = nil, _ event: MeterEvent? = nil,
      accepts: Bool = false, says reason: String? = nil
    ) {
      (self.language, self.fault, self.event, self.accepts, self.reason) = (language, fault, event, accepts, reason)
    }
  }

  static let situations = [
    Situation(), Situation(.miaoMiao, .half), Situation(.bubble, .half),
    Situation(.miaoMiao, .otherSensor, accepts: true),
    Situation(.miaoMiao, .noSensor, says: "it does not feel a sensor"),
    Situation(.bubble, .noSensor, says: "it does not feel a sensor"),
    Situation(.miaoMiao, .otherSensor, says: "another sensor than before is below it, and it waits for your consent"),
    Situation(.miaoMiao, .drop, says: "the connection was lost"),
    Situation(.miaoMiao, nil, .disconnected, says: "the connection was lost"),
    Situation(.miaoMiao, nil, .quiet, says: "it is connected and sends nothing"),
    Situation(.miaoMiao, nil, .refused(.absent), says: "it lacks the service of a bridge"),
    Situation(.miaoMiao, nil, .refused(.notPaired), says: "it refused a request: it is not paired"),
    Situation(.miaoMiao, nil, .cancelled, says: "it was cancelled"),
  ]

  @Test("has a message and a remedy for each situation", arguments: situations)
  func check(_ situation: Situation) async throws {
    let clock = SleptClock()
    let log = BridgeLog()
    let base = bridge(situation.language, situation.fault, clock: clock)
    let link = LoggedLink(base: base, log: log, event: situation.event, clock: clock)
    do {
      let reader = try await open(link, clock, accepts: situation.accepts)
      #expect(situation.reason == nil)
      #expect(await ScanRunner.run(on: reader).failure == nil)
    } catch let error as TransportError {
      if case .readerUnfit(let name, let reason, let remedy) = error {
        #expect(name == "\(situation.language == .bubble ? "Bubble" : "miaomiao2") simulated")
        #expect(reason == situation.reason && remedy.count > 20)
      } else {
        #expect(error == .cancelled && situation.event == .cancelled)
      }
      // The owner's phone gets its bridge back.
      #expect(await log.isDisconnected)
    }
  }

  // MARK: Addresses

  @Test(
    "is simulated by sim:bridge with a language, a fault and a scenario",
    arguments: [
      "sim:bridge", "sim:bridge:bubble", "sim:bridge:expired:7", "sim:bridge:low-battery:active", "sim:bridge:torn",
    ])
  func simulated(_ text: String) async throws {
    let reader = try await SimulatedBackend(clock: SleptClock()).open(try ReaderAddress(text))
    let report = await ScanRunner.run(on: reader)
    #expect(report.failure == nil && report.reader.address == text && report.reader.dialect != "simulated")
  }

  @Test(
    "is not simulated with another word", arguments: ["sim:bridge:what", "sim:bridge:bubble:what", "sim:bridgehead"])
  func notSimulated(_ text: String) async throws {
    await #expect(throws: TransportError.unknownAddress(text)) {
      try await SimulatedBackend(clock: SleptClock()).open(try ReaderAddress(text))
    }
  }
}

/// What happened to a link.
actor BridgeLog {
  private(set) var writes: [String] = []
  private(set) var isDisconnected = false

  func note(_ bytes: [UInt8]) { writes.append(HexText.string(of: bytes, separator: " ")) }
  func end() { isDisconnected = true }
}

/// A link that notes what is written, and can give one event in place of every other.
struct LoggedLink: MeterLink {
  let base: SimulatedBridge
  let log: BridgeLog
  var event: MeterEvent?
  var clock: SleptClock?

  var identity: MeterIdentity { base.identity }
  var characteristics: Set<MeterCharacteristic> { base.characteristics }

  func perform(_ request: MeterRequest, within timeout: Duration) async -> MeterEvent {
    if let bytes = request.writtenBytes { await log.note(bytes) }
    if event == .quiet { return .accepted }
    if let event { return event }
    return await base.perform(request, within: timeout)
  }

  func nextEvent(within timeout: Duration) async -> MeterEvent {
    guard let event else { return await base.nextEvent(within: timeout) }
    try? await clock?.sleep(for: timeout)
    return event
  }

  func disconnect() async {
    await log.end()
    await base.disconnect()
  }
}
